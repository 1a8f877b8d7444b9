import StuffBucket

/// Pages that a person saved with another program, for `sbfs add`: each becomes the archive of its page's link.
///
/// One worker examines all files of a command; it starts with the first of them.
final class SavedPages {
    private let invocation: Invocation
    private var worker: CaptureWorker?

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// Names that may be saved pages; the content decides.
    private static let suffixes = [".html", ".htm", ".xhtml", ".mhtml", ".mht", ".webarchive"]

    /// The URL of the page that a file claims to be a copy of.
    ///
    /// - Returns: `nil` for any other file, and for one that cannot be examined; it then becomes a document.
    func url(of path: String) -> String? {
        let name = path.lowercased()
        guard Self.suffixes.contains(where: name.hasSuffix), FileOfPerson.isRegular(path) else { return nil }
        do {
            guard let url = try started().pageURL(ofFile: path), LinkIdentity(url) != nil else {
                return nil
            }
            return url
        } catch {
            invocation.talk.warn("\(path) is kept as a document, since it could not be looked at: \(error)")
            return nil
        }
    }

    /// Makes a file the archive of an item. A better archive that exists stays, and the file becomes a snapshot.
    ///
    /// - Returns: whether it became the archive or a snapshot.
    func take(_ path: String, into row: Row, _ library: Library) throws -> Bool {
        var options = try invocation.archiveOptions()
        options.savedFile = FileOfPerson.absolute(path)
        options.keepsAll = true
        let outcome: ArchiveOutcome
        do {
            outcome = try invocation.step().archive(row, options, try started())
        } catch let error as ItemError {
            outcome = .refused(.failure(error))
        }
        invocation.archiveTeller(library, isJSON: false)(try? library.item(row), outcome)
        switch outcome {
        case .saved, .unchanged, .keptEarlier: return true
        case .failed, .refused: return false
        }
    }

    private func started() throws -> CaptureWorker {
        if let worker { return worker }
        let new = try WorkerProgram.worker()
        worker = new
        return new
    }
}
