import Items
import StuffBucket
import Testing

struct ItemReferenceTests {
    @Test(arguments: [
        ("01a19b7c-a680-7000-8f3e-5d2c9b7a61c4", "id"), ("01A19B7C-A680-7000-8F3E-5D2C9B7A61C4", "id"),
        ("01a19b7ca68070008f3e5d2c9b7a61c4", "digits 01a19b7ca68070008f3e5d2c9b7a61c4"),
        ("61c4", "digits 61c4"), ("9B7A61C4", "digits 9b7a61c4"), ("8f3e-5d2c9b7a61c4", "digits 8f3e5d2c9b7a61c4"),
        ("2025", "digits 2025"), ("cafe", "digits cafe"), ("1c4", "title"), ("cafés", "title"), ("６１ｃ４", "title"),
        ("61c4 ", "title"), ("0x61c4", "title"), ("01a19b7ca68070008f3e5d2c9b7a61c40", "title"), ("", "title"),
        ("----", "title"), ("https://Example.org", "link https://example.org/"),
        ("HTTP://example.org:80/a", "link http://example.org/a"), ("example.org", "title"),
        ("ftp://example.org/", "title"), ("https://", "title"), ("Sourdough", "title"),
    ])
    func `a name is an id, digits, a link or a title`(_ name: String, kind: String) {
        switch ItemReference(name) {
        case .id: #expect(kind == "id")
        case .digits(let digits): #expect(kind == "digits " + digits)
        case .link(let link): #expect(kind == "link " + link)
        case .title: #expect(kind == "title")
        }
    }
}
