internal import CSystem
internal import Glibc

/// An open file that several values share; closed with the last of them.
package final class SharedFile: Sendable {
    package let descriptor: Descriptor

    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// A file in memory that holds these bytes.
    ///
    /// - Throws: `FileError` if the system has no memory for it.
    package init(inMemory bytes: [UInt8]) throws(FileError) {
        let name = "a file in memory"
        descriptor = Descriptor(number: try systemCall(.create, name) { csystem_file_in_memory() }, path: name)
        try descriptor.write(bytes)
    }
}
