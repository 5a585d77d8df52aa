// How many connections there are, in all and from each address: one count for all event loops.

import HTTP
import Synchronization

/// The count at the door.
final class Admission: Sendable {
    /// What is to be done with a new connection. It counts in any case until it leaves.
    enum Verdict { case welcome, full, tooManyFromAddress }

    private struct Counts {
        var total = 0
        var byAddress: [PeerAddress.Key: Int] = [:]
    }

    private let limit: Int
    private let counts = Monitor(Counts())

    /// `limit` in all.
    init(limit: Int) { self.limit = limit }

    func enter(_ peer: PeerAddress, _ options: ServerOptions) -> Verdict {
        let addressLimit =
            options.connectionsPerAddress == 0 || options.isShared(peer.text)
            ? Int.max : options.connectionsPerAddress
        return counts.withLock { counts in
            counts.total += 1
            if let key = peer.key {
                counts.byAddress[key, default: 0] += 1
                if counts.byAddress[key, default: 0] > addressLimit { return .tooManyFromAddress }
            }
            return counts.total > limit ? .full : .welcome
        }
    }

    func leave(_ peer: PeerAddress) {
        counts.withLock { counts in
            counts.total -= 1
            guard let key = peer.key, let count = counts.byAddress[key] else { return }
            counts.byAddress[key] = count > 1 ? count - 1 : nil
        }
    }
}
