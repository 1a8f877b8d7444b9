import Files
import Testing

@testable import Items

struct ItemErrorTests {
    static let id = ItemID(high: 0x0198_C0DE_1234_7ABC, low: 0x8DEF_0123_4567_89AB)

    struct Wording: CustomStringConvertible {
        let error: ItemError
        let description: String
    }

    @Test(arguments: [
        Wording(
            error: .file(FileError(.open, "a", .unsafePath)), description: "cannot open a: the path leaves its folder"),
        Wording(error: .unsuitable(path: "a", .noID), description: "a: \"id\" must be a UUID"),
        Wording(
            error: .noLibrary(path: "a"),
            description: "a is not a library (it has no library.json)"),
        Wording(
            error: .readOnlyFormat(path: "a", format: 2, needed: 2, supported: 1),
            description: "a: the library has format 2, which this program (format 1) may only read"),
        Wording(
            error: .readOnlyFormat(path: "a", format: 1, needed: 99, supported: 1),
            description: "a: the library has format 1, and only programs that write format 99 may change it; this "
                + "program (format 1) may only read it"),
        Wording(
            error: .tooNew(path: "a", format: 2, needed: 2, supported: 1),
            description: "a: the library has format 2, this program reads up to 1"),
        Wording(
            error: .tooNew(path: "a", format: 1, needed: 99, supported: 1),
            description: "a: the library has format 1 and is only for programs that read format 99, this program reads "
                + "up to 1"),
        Wording(error: .noItem(id), description: "no item 0198c0de-1234-7abc-8def-0123456789ab"),
        Wording(
            error: .conflict(id: id, what: "title", kept: nil),
            description: "456789ab: title was changed by another program at the same time and is left as that program "
                + "wrote it"),
        Wording(
            error: .conflict(id: id, what: "title", kept: "x/y"),
            description: "456789ab: title was changed by another program at the same time and is left as that program "
                + "wrote it; your version is kept in x/y"),
        Wording(
            error: .overtaken(path: "a"),
            description: "a was changed by another program at the same time, and is left as that program wrote it"),
        Wording(
            error: .locked(path: "a", seconds: 10),
            description: "a: another program has been writing for 10 s; try again when it is done"),
        Wording(
            error: .tooLarge(name: "a", byteCount: 600 << 20, limit: 512 << 20),
            description: "a: 600 MB is more than the limit of 512 MB; nothing was written"),
        Wording(error: .notInTrash(id, hasOneMark: false), description: "456789ab is not in the trash"),
        Wording(error: .hasDocument(id, name: "b.pdf"), description: "456789ab already has the document b.pdf"),
        Wording(error: .refused(.noDocument(id)), description: "456789ab has no document"),
    ])
    func `an error says what happened, without a command`(_ wording: Wording) {
        #expect(wording.error.description == wording.description)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1 KB"), (1536, "1.5 KB"), (102_400, "100 KB"),
        (1_048_575, "1 MB"), (512 << 20, "512 MB"), (1_503_238_554, "1.4 GB"), (4096 << 20, "4 GB"), (Int.max, "8 EB"),
    ])
    func `sizes are printed in powers of 1,024`(_ count: Int, text: String) {
        #expect(ByteCount.text(count) == text)
    }
}
