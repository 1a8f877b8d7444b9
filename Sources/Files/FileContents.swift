/// A file's bytes, and its status at opening.
package struct FileContents: Sendable {
    /// All bytes of the file.
    package let bytes: [UInt8]
    /// The status at opening.
    package let status: FileStatus
}
