import StuffBucket

extension InboxRejection {
    /// Why, as a clause without a full stop.
    var wording: String {
        switch self {
        case .empty: "it is empty"
        case .notRegular(let kind): "it is \(kind.phrase), not a regular file"
        case .tooDeep(let limit): "it is nested deeper than the \(limit) levels of a collection"
        case .tooLarge(let byteCount, let limit):
            "\(ByteCount.text(byteCount)) is more than the limit of \(ByteCount.text(limit)) (see: sbfs config "
                + "maxFileSizeMB)"
        case .noWebAddress(let address): "its address \(address) is no http or https URL"
        case .pageWithoutAddress:
            "a page saved with its folder that does not say its URL; \"sbfs archive ITEM --from FILE\" takes it"
        }
    }
}

extension InboxFile.State {
    /// Why a file waits, as a clause without a full stop; `nil` for one that does not.
    var wording: String? {
        switch self {
        case .complete: nil
        case .settling: "it changed less than 2 seconds ago"
        case .openForWriting: "a program has it open for writing"
        case .waitsForComment: "its comment is still being written"
        case .waitsForFile: "the file that this comment is about is not there"
        case .needsWorker: "a saved page, and sbfs-worker, which reads it, is missing; install sbfs again"
        case .unfinished: "its name is one of an unfinished file or of a conflict copy; rename it to take it in"
        case .hidden: "sbfs leaves names that begin with a dot to other programs; rename it to take it in"
        case .inaccessible(let error): "\(error)"
        case .unsupported(let reason): reason.wording
        case .rejected(let reason): reason?.wording ?? "no file beside it says why"
        }
    }
}

extension Error {
    /// Why a file stays in the inbox.
    var inboxWording: String {
        guard let failure = self as? InboxPageFailure else { return wording }
        return failure.report.wording ?? "its page could not be read"
    }
}
