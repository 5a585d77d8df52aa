// First in, first out, over one array: the front moves, and the spent part is dropped when it is the larger one.

/// A queue with cheap ends.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var front = 0

    var count: Int { elements.count - front }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard front < elements.count else { return nil }
        let element = elements[front]
        elements[front] = nil
        front += 1
        if front == elements.count {
            elements.removeAll(keepingCapacity: front <= 1024)
            front = 0
        } else if front > 1024, front * 2 > elements.count {
            elements.removeFirst(front)
            front = 0
        }
        return element
    }
}
