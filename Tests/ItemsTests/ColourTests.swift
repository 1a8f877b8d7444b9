import Testing

@testable import Items

struct ColourTests {
    @Test(arguments: [
        ("red", "red"), ("RED", "red"), ("grey", "gray"), ("#D0021B", "#d0021b"), ("#fa3", "#ffaa33"),
        ("#000", "#000000"),
    ])
    func `a colour is a name or hexadecimal`(_ text: String, written: String) {
        #expect(Colour(text)?.text == written)
    }

    @Test(arguments: ["", "none", "reddish", "#12", "#12345", "#gggggg", "#ééé", "123456", "#12345\u{301}"])
    func `anything else is none`(_ text: String) { #expect(Colour(text) == nil) }
}
