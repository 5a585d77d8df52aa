// Descriptors in order of arrival, each at most once: adding, removing anywhere and finding the oldest take the same small time.
// One loop's idle connections stand here, so that the one idle longest can make room.

/// A doubly linked list of small non-negative numbers, kept in one array.
struct DescriptorList {
    private struct Links {
        var older: Int32 = -1
        var newer: Int32 = -1
        var isMember = false
    }

    private var links: [Links] = []
    private(set) var oldest: Int32?
    private var newest: Int32?
    private(set) var count = 0

    mutating func append(_ descriptor: Int32) {
        let index = Int(descriptor)
        while links.count <= index { links.append(Links()) }
        guard !links[index].isMember else { return }
        links[index] = Links(older: newest ?? -1, newer: -1, isMember: true)
        if let newest { links[Int(newest)].newer = descriptor } else { oldest = descriptor }
        newest = descriptor
        count += 1
    }

    mutating func remove(_ descriptor: Int32) {
        let index = Int(descriptor)
        guard index < links.count, links[index].isMember else { return }
        let (older, newer) = (links[index].older, links[index].newer)
        if older >= 0 { links[Int(older)].newer = newer } else { oldest = newer >= 0 ? newer : nil }
        if newer >= 0 { links[Int(newer)].older = older } else { newest = older >= 0 ? older : nil }
        links[index] = Links()
        count -= 1
    }
}
