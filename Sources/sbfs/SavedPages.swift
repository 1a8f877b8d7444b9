import StuffBucket

/// Pages that a person saved with another program, as `sbfs add` takes them: each becomes the archive of the link whose
/// page it is.
///
/// One worker looks at all files of a command; it is started when the first of them comes.
final class SavedPages {
    private let invocation: Invocation
    private var worker: CaptureWorker?

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// Names that may be saved pages; what they are is seen by their content.
    private static let suffixes = [".html", ".htm", ".xhtml", ".mhtml", ".mht", ".webarchive"]

    /// The URL that a file says it is the saved page of.
    ///
    /// - Returns: `nil` for any other file, and for one that cannot be looked at: it is kept as a document then.
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

    /// Makes a file the archive of an item; a better one that is there stays, and the file becomes a snapshot.
    ///
    /// - Returns: whether it was taken.
    func take(_ path: String, into row: Row, _ library: Library) throws -> Bool {
        var options = try invocation.archiveOptions()
        options.savedFile = FileOfPerson.absolute(path)
        options.keepsAll = true
        let outcome: ArchiveOutcome
        do {
            outcome = try invocation.step().archive(row, options, try started())
        } catch let error as ItemError {
            outcome = .refused(.failure(error.wording))
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
