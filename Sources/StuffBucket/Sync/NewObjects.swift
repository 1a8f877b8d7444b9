internal import Files
internal import Items

/// The folder objects/ of an exchange, for objects that have no names yet. For use by several threads.
final class NewObjects: Sendable {
    private let folder: Directory
    private let device: ItemID

    init(in folder: consuming Directory, by device: ItemID) {
        self.folder = folder
        self.device = device
    }

    func create() throws(FileError) -> NewObject {
        try NewObject(".\(device)-\(UInt64.random(in: 1...UInt64.max))", in: folder)
    }

    func discard(_ object: NewObject) { try? folder.removeFile(object.temporaryName) }

    func discard(_ object: WrittenObject) { try? folder.removeFile(object.temporaryName) }
}

/// An object that is being written. For use by one thread.
final class NewObject {
    let temporaryName: String
    private let file: Descriptor
    private(set) var byteCount = 0

    fileprivate init(_ name: String, in folder: borrowing Directory) throws(FileError) {
        temporaryName = name
        file = try folder.createFile(name)
    }

    func write(_ bytes: [UInt8]) throws(FileError) {
        try file.write(bytes)
        byteCount += bytes.count
    }

    /// The object once all of it is written.
    func written(as hash: Items.ContentHash, _ form: ExchangeLayout.Form) -> WrittenObject {
        WrittenObject(temporaryName: temporaryName, byteCount: byteCount, hash: hash, form: form)
    }
}

/// An object that is complete and does not have its name yet.
struct WrittenObject: Sendable {
    let temporaryName: String
    /// Of its file.
    let byteCount: Int
    let hash: Items.ContentHash
    let form: ExchangeLayout.Form
}
