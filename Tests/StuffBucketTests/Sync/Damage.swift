import Files
import Glibc
import TestSupport

/// What happens to a file that nobody saves.
enum Damage: CaseIterable {
    /// A byte is another one; the size and the time of modification stay.
    case flipped
    /// All bytes are gone.
    case emptied
    /// The end is gone; the time of modification stays.
    case cut

    /// What an item tells of itself, where nothing is remembered.
    static let toldByItem: [Damage] = [.flipped, .emptied]

    func happen(to path: String, in scratch: borrowing ScratchDirectory) throws {
        let file = try scratch.directory().fileForWriting(path)
        let modified = try file.status().modified
        var bytes = try scratch.bytes(path)
        bytes[3] ^= 1
        switch self {
        case .flipped: try scratch.write(path, bytes)
        case .emptied: try scratch.write(path, [])
        case .cut: try scratch.write(path, Array(bytes.prefix(bytes.count / 2)))
        }
        if self != .emptied { try file.setModified(modified) }
        // Nobody saves it, so no time of it is later than that of item.json; a test cannot set the one that writing changed.
        var folder = Substring(path)
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            if chmod(scratch.full(folder + "/item.json"), 0o644) == 0 { return }
        }
    }
}
