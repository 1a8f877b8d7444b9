import HTML
import Testing

struct SourceSetTests {
    @Test(
        arguments: [
            ("", []), (",,,", []), ("a", ["a"]), (" a , b ", ["a", "b"]), ("a 1x, b 2x", ["a 1x", "b 2x"]),
            (",x.png", ["x.png"]), ("data:,a", ["data:,a"]), ("data:,a,", ["data:,a"]), ("a 1x 1x, b", ["b"]),
            ("a 1w 2w,b", ["b"]), ("a 0w,b", ["b"]), ("a -1x,b", ["b"]), ("a 1.5x", ["a 1.5x"]),
            ("a .5e1x", ["a .5e1x"]),
            ("a 1.x,b", ["b"]), ("a 100w 50h", ["a 100w 50h"]), ("a 50h,b", ["b"]), ("a (x,y), b", ["b"]),
            ("a 1x (,b", []),
            ("a\n2x\t,\u{C}b", ["a 2x", "b"]), ("a,,b", ["a,,b"]), ("a, ,b", ["a", "b"]), ("a -0x", ["a -0x"]),
        ] as [(String, [String])])
    func `candidates are those that a browser takes`(value: String, expected: [String]) {
        let bytes = Array(value.utf8)
        let found = SourceSet.candidates(bytes).map { candidate in
            let descriptors = String(decoding: bytes[candidate.descriptors], as: UTF8.self)
            return String(decoding: bytes[candidate.url], as: UTF8.self)
                + (descriptors.isEmpty ? "" : " " + descriptors)
        }
        #expect(found == expected)
    }
}
