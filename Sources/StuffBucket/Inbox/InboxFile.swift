public import Files
public import Time

/// A file in inbox/, and whether it can be taken in.
public struct InboxFile: Sendable {
    /// Its path below inbox/, with `/` between folders. Bytes that are not UTF-8 are U+FFFD.
    public let path: String
    /// The size in bytes.
    public let byteCount: Int
    /// Whether it can be taken in, or why not.
    public let state: State

    /// Whether a file can be taken in, or why not.
    public enum State: Sendable {
        /// The next call of `takeInbox` takes it in.
        case complete
        /// It changed less than two seconds before; complete at this time if it does not change again.
        case settling(until: Timestamp)
        /// A program has it open for writing.
        case openForWriting
        /// `NAME.comment`, which belongs to it, changed less than two seconds before, or a program writes it.
        case waitsForComment(until: Timestamp)
        /// It is `NAME.comment`, and there is no file `NAME`.
        case waitsForFile
        /// A saved page, and no worker was given that could read it.
        case needsWorker
        /// Its name is one of an unfinished file, or of a conflict copy (FORMAT.md § 3.3).
        case unfinished
        /// Its name begins with a dot: a file or folder of a program, which stays for good.
        case hidden
        /// It cannot be read, or its folder cannot be written.
        case inaccessible(FileError)
        /// The next call of `takeInbox` moves it to inbox/rejected/.
        case unsupported(InboxRejection)
        /// It is in inbox/rejected/; `nil` if no file there says why.
        case rejected(InboxRejection?)
    }
}

/// How the inbox is read.
public struct InboxOptions: Sendable {
    /// Whether to mark the pages of new links for saving: their `archiveStatus` is then pending. Nothing is fetched.
    public var isArchived = true
    /// The largest number of files that one call takes in; `nil` for all.
    public var limit: Int?
    /// For how long a file must not have changed, in milliseconds.
    public var quietMilliseconds: Int64 = 2000
    /// The time of day. A test may use another clock, so that it need not wait until files have settled.
    package var clock: @Sendable () -> Timestamp = { .now }

    /// Makes the default options.
    public init() {}
}
