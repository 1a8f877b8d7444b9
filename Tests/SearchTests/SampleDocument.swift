import Search

/// A document in memory.
struct SampleDocument: Searchable, Sendable {
    var type = "snippet"
    var name = ""
    var tags: [String] = []
    var source = ""
    var site = ""
    var created: Int64 = 0
    var updated: Int64 = 0
    var isTrashed = false
    var states: Set<Filter.State> = []
    var parts: Set<Filter.Part> = []
    var statuses: Set<Filter.Status> = []
    var fields: [String] = []
    var link = ""
    var author = ""
    var language = ""

    init(title: String = "", tags: [String] = [], texts: [String] = []) {
        name = title
        self.tags = tags
        fields = texts
    }

    var title: [UInt8] { Array(name.utf8) }
    var displayTitle: [UInt8] { Folding.fold(name.utf8) }
    var collections: [String] {
        tags.filter { $0.hasPrefix("collection:") }.map { String($0.dropFirst("collection:".count)) }
    }

    func holds(_ state: Filter.State) -> Bool { states.contains(state) }
    func has(_ part: Filter.Part) -> Bool { parts.contains(part) }
    func holds(_ status: Filter.Status) -> Bool { statuses.contains(status) }
    func texts() -> [[UInt8]] { fields.map { Array($0.utf8) } }
}
