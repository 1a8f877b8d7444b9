import Testing

@testable import Capture

struct ByteReplacementTests {
    @Test(arguments: [
        ("", "a", "b", ""), ("a", "a", "b", "b"), ("xaya", "a", "", "xy"), ("aab", "ab", "c", "ac"),
        ("ababab", "ab", "abab", "abababababab"), ("aaa", "aa", "b", "ba"), ("short", "longer than it", "", "short"),
    ]) func `every occurrence is replaced, from the left`(text: String, wanted: String, other: String, result: String) {
        let bytes = ByteReplacement.bytes(Array(text.utf8), Array(wanted.utf8), Array(other.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == result)
    }
}
