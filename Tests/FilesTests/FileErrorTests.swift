import Files
internal import Glibc
import Testing

struct FileErrorTests {
    struct Wording: CustomStringConvertible {
        let error: FileError
        let description: String

        init(_ operation: FileError.Operation, _ reason: FileError.Reason, _ text: String) {
            error = FileError(operation, "a/b", reason)
            description = text
        }
    }

    @Test(arguments: [
        Wording(.open, .system(ENOENT), "cannot open a/b: No such file or directory"),
        Wording(.write, .system(ENOSPC), "cannot write a/b: No space left on device"),
        Wording(.makeDirectory, .system(EACCES), "cannot make the folder a/b: Permission denied"),
        Wording(
            .open, .system(ELOOP),
            "cannot open a/b: a symbolic link is in the path where none is followed, or links lead in a circle"),
        Wording(.open, .notRegular(.fifo), "cannot open a/b: it is a FIFO, not a regular file"),
        Wording(.open, .notRegular(.directory), "cannot open a/b: it is a folder, not a regular file"),
        Wording(.open, .notRegular(.device), "cannot open a/b: it is a device, not a regular file"),
        Wording(.read, .tooLarge(byteCount: 11, limit: 10), "cannot read a/b: 11 bytes are more than the limit of 10"),
        Wording(.create, .unsafePath, "cannot create a/b: the path leaves its folder"),
        Wording(.remove, .tooDeep(limit: 256), "cannot remove a/b: folders are nested deeper than 256"),
    ])
    func `an error names operation, path and reason`(_ wording: Wording) {
        #expect(wording.error.description == wording.description)
    }

    @Test func `errors are classified by their meaning`() {
        func error(_ number: Int32) -> FileError { FileError(.open, "x", .system(number)) }
        #expect([ENOENT, ENOTDIR].allSatisfy { error($0).isAbsent })
        #expect([ELOOP, EXDEV].allSatisfy { error($0).isEscape })
        #expect([ENOSPC, EDQUOT, EFBIG].allSatisfy { error($0).isOutOfSpace })
        #expect([EROFS, EACCES, EPERM].allSatisfy { error($0).isReadOnly })
        #expect(!error(EIO).isAbsent && !error(EIO).isEscape && !error(EIO).isOutOfSpace && !error(EIO).isReadOnly)
        #expect(FileError(.open, "x", .unsafePath).isEscape)
        #expect(FileError(.open, "x", .unsafePath).number == nil)
        #expect(error(EIO).number == EIO)
    }
}
