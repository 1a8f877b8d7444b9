public import Files

/// Why a library could not be synced with an exchange. Nothing of either is lost.
public enum SyncError: Error, Sendable {
    /// The folder has no exchange.json: it is no exchange, or the disk or share that holds it is not mounted.
    case noExchange(path: String)
    /// The folder has the heads of an exchange, and no exchange.json.
    case noExchangeFile(path: String)
    /// The folder holds other files, so no exchange is made there.
    case notEmpty(path: String, example: String)
    /// The folder in which an exchange would be made is missing.
    case noParent(path: String)
    /// A file, or another thing that is no folder, is in the place of the folder or of one above it.
    case notFolder(path: String)
    /// The exchange is of the library with this id, not of the one here.
    case otherLibrary(path: String, id: String)
    /// The exchange has a newer format than this program reads.
    case tooNew(path: String, format: Int, supported: Int)
    /// exchange.json is no JSON object with a format and a library.
    case malformed(path: String)
    /// The folder is the library itself, or one of the two lies or would lie in the other.
    case sameFolder(path: String)
    /// Another program replicates the library's folder, as this entry in it shows: it would carry the removal of dropped files
    /// to other copies.
    case isReplicated(path: String, mark: String)
    /// Another process of this device syncs the library.
    case isBusy
    /// The exchange's folder cannot be written, and is not used for reading alone; what the system says.
    case notWritable(path: String, FileError)
    /// The exchange has no head that could be read, so a library cannot be made from it.
    case noDevices(path: String)
    /// The path begins with `rclone:` and does not go on with a remote's name, a colon and a path.
    case noCloudPath(path: String)
    /// The cloud of an exchange could not be used.
    case cloud(path: String, CloudFault)
}

/// Why a cloud could not be used.
public enum CloudFault: Sendable, Equatable {
    /// The network must not be used.
    case offline
    /// The program rclone is not installed.
    case noProgram
    /// rclone's configuration has no remote of this name.
    case noRemote
    /// rclone wrote nothing for so many seconds, and was ended.
    case silent(seconds: Int)
    /// rclone's answer could not be read.
    case answer
    /// rclone failed: its exit code, and its last message.
    case failed(status: Int, message: String)
}

extension SyncError: CustomStringConvertible {
    /// The error as a sentence for a person, with the path.
    public var description: String {
        switch self {
        case .noExchange(let path) where path.hasPrefix(ExchangeFolder.cloudPrefix):
            "\(path) is no exchange (it has no exchange.json); perhaps the path is another one, or the password of a crypt remote"
        case .noExchange(let path):
            "\(path) is no exchange (it has no exchange.json); perhaps the disk or share is not mounted"
        case .noExchangeFile(let path):
            "\(path) has the other files of an exchange, and no exchange.json: it has not arrived, or somebody removed it"
        case .notEmpty(let path, let example):
            "\(path) holds other files (\(example)); choose an empty folder"
        case .noParent(let path):
            "there is no folder \(path): perhaps its name is another one, or its disk or share is not mounted"
        case .notFolder(let path): "\(path) is no folder; an exchange is a folder"
        case .otherLibrary(let path, let id): "\(path) is the exchange of another library, \(id)"
        case .tooNew(let path, let format, let supported):
            "\(path): the exchange has format \(format), this program reads up to \(supported)"
        case .malformed(let path): "\(path) is damaged: it does not say of which library the exchange is"
        case .sameFolder(let path): "\(path) is this library, or one of the two would lie in the other"
        case .isReplicated(let path, let mark):
            "\(path) has \(mark): the program that it belongs to would remove dropped files from other copies, too"
        case .isBusy: "another process syncs this library"
        case .notWritable(let path, let fault): "\(path) cannot be written by you (\(fault))"
        case .noCloudPath(let path): "\(path) names no place in a cloud: expected rclone:REMOTE:PATH"
        case .cloud(let path, let fault): "\(path): \(fault)"
        case .noDevices(let path): "no device has written to \(path) yet, or its head has not arrived"
        }
    }
}

extension CloudFault: CustomStringConvertible {
    /// The reason for a person, without a full stop.
    public var description: String {
        switch self {
        case .offline: "the network must not be used"
        case .noProgram: "the program rclone is not installed"
        case .noRemote: "rclone has no remote of this name"
        case .silent(let seconds): "rclone was silent for \(seconds) seconds and was ended"
        case .answer: "rclone's answer cannot be read"
        case .failed(let status, let message): "rclone failed (\(status)): \(message)"
        }
    }
}
