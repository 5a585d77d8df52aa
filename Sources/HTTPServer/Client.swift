// Who asks, as far as queues must know to be fair: where from, and what it shows to be known by. Nobody has looked whether that is true,
// so a made-up credential only ever wins against others of the same network.

import Glibc

/// A client of the program behind the server. Those that are equal share their turns.
public struct Client: Hashable, Sendable {
    /// An IPv4 address, or the first 64 bits of an IPv6 address: what one household or one machine is given.
    let network: UInt64
    let credential: Int

    /// Work that the program does for itself.
    public static let program = Client(network: 0, credential: 0)

    /// - Parameters:
    ///   - address: as text. What is none (`unix`) is one network.
    ///   - credential: a cookie or a token, as it was sent.
    public init(address: String, credential: String?) {
        self.init(network: Self.network(address), credential: credential?.hashValue ?? 0)
    }

    init(network: UInt64, credential: Int) { (self.network, self.credential) = (network, credential) }

    private static func network(_ address: String) -> UInt64 {
        var ipv4 = in_addr()
        if inet_pton(AF_INET, address, &ipv4) == 1 { return 1 << 32 | UInt64(ipv4.s_addr) }
        var ipv6 = in6_addr()
        guard inet_pton(AF_INET6, address, &ipv6) == 1 else { return 1 }
        return withUnsafeBytes(of: &ipv6) { $0.load(as: UInt64.self) }
    }
}
