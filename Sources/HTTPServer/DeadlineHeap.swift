// The deadlines of one event loop: a binary heap of moment and descriptor, earliest first.
// Putting a deadline off, or taking it away, costs one store: the heap finds out when the old moment comes.

/// Deadlines by descriptor. A descriptor has at most one.
struct DeadlineHeap {
    /// "None" as a moment.
    static let never = UInt64.max

    private struct Entry {
        var moment: UInt64
        let descriptor: Int
    }

    private struct Place {
        /// The deadline that holds; `never` where there is none. Never earlier than the heap's entry.
        var deadline = DeadlineHeap.never
        /// Where the descriptor's entry lies in the heap, -1 for nowhere.
        var index: Int32 = -1
    }

    private var heap: [Entry] = []
    private var places: [Place] = []

    /// Sets, moves or (with `never`) takes away the deadline of a descriptor.
    mutating func set(_ descriptor: Int, _ moment: UInt64) {
        while places.count <= descriptor { places.append(Place()) }
        places[descriptor].deadline = moment
        let index = Int(places[descriptor].index)
        if index < 0 {
            guard moment != Self.never else { return }
            heap.append(Entry(moment: moment, descriptor: descriptor))
            rise(heap.count - 1)
        } else if moment < heap[index].moment {
            heap[index].moment = moment
            rise(index)
        }
    }

    /// When `popExpired` should next be called; may be early.
    var next: UInt64 { heap.first?.moment ?? Self.never }

    /// A descriptor whose deadline has come, or nil. Its deadline is gone with that.
    mutating func popExpired(at now: UInt64) -> Int? {
        while let first = heap.first, first.moment <= now {
            let deadline = places[first.descriptor].deadline
            if deadline > now, deadline != Self.never {
                heap[0].moment = deadline
                sink(0)
                continue
            }
            let last = heap.removeLast()
            places[first.descriptor] = Place()
            if !heap.isEmpty {
                heap[0] = last
                sink(0)
            }
            if deadline <= now { return first.descriptor }
        }
        return nil
    }

    private mutating func rise(_ start: Int) {
        var index = start
        let entry = heap[index]
        while index > 0 {
            let parent = (index - 1) / 2
            guard entry.moment < heap[parent].moment else { break }
            put(heap[parent], at: index)
            index = parent
        }
        put(entry, at: index)
    }

    private mutating func sink(_ start: Int) {
        var index = start
        let entry = heap[index]
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].moment < heap[child].moment { child += 1 }
            guard heap[child].moment < entry.moment else { break }
            put(heap[child], at: index)
            index = child
        }
        put(entry, at: index)
    }

    private mutating func put(_ entry: Entry, at index: Int) {
        heap[index] = entry
        places[entry.descriptor].index = Int32(truncatingIfNeeded: index)
    }
}
