internal import Files
internal import Glibc
internal import Items
public import JSONFormat

/// Why a watch or a work of a daemon failed last. It is tried again.
public struct WatchProblem: Sendable, Equatable {
    /// What a program can act on.
    public enum Kind: String, Sendable {
        /// The disk or the quota is full.
        case noSpace
        /// The file system is read-only.
        case readOnly
        /// The user may not read or write a file.
        case noAccess
        /// The disk reports damage (EIO).
        case inputOutput
        /// Another process holds a lock.
        case locked
        /// Anything else.
        case other
    }

    /// What failed.
    public let kind: Kind
    /// The file; `nil` if it concerns none.
    public let path: String?
    /// The error as a sentence for a person.
    public let message: String

    init(_ error: any Error) {
        let file: FileError? =
            if case ItemError.file(let error)? = error as? ItemError { error } else { error as? FileError }
        path = file?.path
        message = "\(error)"
        if case ItemError.locked? = error as? ItemError {
            kind = .locked
        } else {
            kind = file.map(Self.kind) ?? .other
        }
    }

    private static func kind(of error: FileError) -> Kind {
        if error.reason == .busy { return .locked }
        switch error.number {
        case ENOSPC, EDQUOT: return .noSpace
        case EROFS: return .readOnly
        case EACCES, EPERM: return .noAccess
        case EIO: return .inputOutput
        default: return .other
        }
    }

    /// All values under their names.
    public var json: JSON {
        .members([("kind", .string(kind.rawValue)), ("path", path.map { .string($0) }), ("message", .string(message))])
    }

    /// - Returns: `nil` if the value is no problem. An unknown kind is `other`.
    init?(_ json: JSONDocument, _ value: JSONDocument.Value) {
        func text(_ key: String) -> String? { json.member(key, of: value).flatMap { json.string($0) } }
        guard let message = text("message") else { return nil }
        kind = text("kind").flatMap(Kind.init) ?? .other
        path = text("path")
        self.message = message
    }
}
