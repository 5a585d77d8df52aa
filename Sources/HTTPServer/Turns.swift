// A waiting line in which clients take turns, so that one who sends much delays itself and nobody else. Turns go round the networks, and
// within a network round the credentials: neither many connections nor many made-up cookies bring anyone before another household.

/// What takes its turn as one.
protocol Line {
    init()
    var count: Int { get }
}

/// Lines by key that take turns.
struct Round<Key: Hashable, Member: Line>: Line {
    private var members: [Key: Member] = [:]
    private var order = FIFO<Key>()
    private(set) var count = 0

    /// How many wait in one line.
    func count(of key: Key) -> Int { members[key]?.count ?? 0 }

    /// Lets `add` put one element into a line.
    mutating func append(_ key: Key, _ add: (inout Member) -> Void) {
        let known = members.count
        add(&members[key, default: Member()])
        if members.count != known { order.append(key) }
        count += 1
    }

    /// An element of the first line, in turn, that gives one.
    mutating func popFirst<Element>(_ take: (Key, inout Member) -> Element?) -> Element? {
        for _ in 0..<members.count {
            guard let key = order.popFirst(), var member = members.removeValue(forKey: key) else { return nil }
            let element = take(key, &member)
            if member.count > 0 {
                members[key] = member
                order.append(key)
            }
            guard let element else { continue }
            count -= 1
            return element
        }
        return nil
    }
}

/// What waits for one client: in order, and what may wait (a request sent before the last one was answered) behind the rest.
private struct ClientLine<Element>: Line {
    private var first = FIFO<Element>()
    private var followers = FIFO<Element>()
    private var turn = 0

    var count: Int { first.count + followers.count }

    mutating func append(_ element: Element, mayWait: Bool) {
        if mayWait { followers.append(element) } else { first.append(element) }
    }

    mutating func popFirst() -> Element? {
        turn &+= 1
        // Even behind a flood of others nothing waits for ever.
        if turn & 7 == 0, let element = followers.popFirst() { return element }
        return first.popFirst() ?? followers.popFirst()
    }
}

/// The whole waiting line.
struct Turns<Element> {
    private var networks = Round<UInt64, Round<Int, ClientLine<Element>>>()
    /// Who waits alone goes through no table.
    private var alone: (client: Client, element: Element)?

    var count: Int { networks.count + (alone == nil ? 0 : 1) }

    /// How many wait that come from the client's network.
    func count(from client: Client) -> Int {
        networks.count(of: client.network) + (alone?.client.network == client.network ? 1 : 0)
    }

    mutating func append(_ element: Element, of client: Client, mayWait: Bool) {
        if count == 0, !mayWait {
            alone = (client, element)
        } else {
            networks.append(client.network) { $0.append(client.credential) { $0.append(element, mayWait: mayWait) } }
        }
    }

    /// The next one whose client may be served now.
    mutating func popFirst(where mayBeServed: (Client) -> Bool = { _ in true }) -> (client: Client, element: Element)? {
        if let first = alone, mayBeServed(first.client) {
            alone = nil
            return first
        }
        return networks.popFirst { network, credentials in
            credentials.popFirst { credential, line in
                let client = Client(network: network, credential: credential)
                guard mayBeServed(client) else { return nil }
                return line.popFirst().map { (client, $0) }
            }
        }
    }
}
