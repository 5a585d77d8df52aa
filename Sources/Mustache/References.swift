// Which templates a template names, and which of them lead back to it: those cannot be put in place, only called.

struct References {
    private var named: [Set<Int>]

    init(_ trees: [[Node]], _ indices: [String: Int]) {
        named = Array(repeating: [], count: trees.count)
        for template in trees.indices { collect(trees[template], indices, template) }
    }

    private mutating func collect(_ nodes: [Node], _ indices: [String: Int], _ template: Int) {
        for node in nodes {
            switch node {
            case .text, .variable: break
            case .section(_, _, _, let children, _): collect(children, indices, template)
            case .block(let block): collect(block.children, indices, template)
            case .partial(let name, _, _):
                if let index = indices[name] { named[template].insert(index) }
            case .parent(let name, _, let arguments, _):
                if let index = indices[name] { named[template].insert(index) }
                for block in arguments { collect(block.children, indices, template) }
            }
        }
    }

    /// For each template, whether it can be reached from itself.
    var reachingThemselves: [Bool] {
        named.indices.map { template in
            var seen: Set<Int> = []
            var waiting = Array(named[template])
            while let next = waiting.popLast() {
                if seen.insert(next).inserted { waiting += named[next] }
            }
            return seen.contains(template)
        }
    }
}
