import HTML
import TestSupport
import Testing

/// Parts of a reader.html outside of its article are left out because of their marks, and for no other reason.
struct ReaderFrameTests {
    @Test(arguments: [
        ("a<!--sbfs:frame-->x<!--/sbfs:frame-->b", "ab"),
        ("<!--sbfs:frame-->x<!--/sbfs:frame-->a<!--sbfs:frame--><p>y</p><!--/sbfs:frame-->", "a"),
        ("a<!--sbfs:frame--><!--/sbfs:frame-->", "a"),
        ("a<!--sbfs:frame-->x<!--sbfs:frame-->y<!--/sbfs:frame-->b", "ab"),
        ("<p>no frame</p>", "<p>no frame</p>"), ("", ""), ("<", "<"), ("<!--", "<!--"),
        ("a<!--sbfs:frame-->x", "a<!--sbfs:frame-->x"), ("a<!--sbfs:frame--", "a<!--sbfs:frame--"),
        ("a<!--sbfs:frame-->x<!--/sbfs:frame--", "a<!--sbfs:frame-->x<!--/sbfs:frame--"),
        ("a<!--/sbfs:frame-->b", "a<!--/sbfs:frame-->b"), ("<!-- sbfs:frame -->a", "<!-- sbfs:frame -->a"),
    ])
    func `the text between the marks is removed`(page: String, expected: String) {
        #expect(String(decoding: ReaderFrame.removed(from: Array(page.utf8)), as: UTF8.self) == expected)
    }

    @Test(arguments: ["<!--sbfs:frame-->", "<!--/sbfs:frame-->", "<!--sbfs:fram", "<"])
    func `a page of many marks without their other half stays as it is`(_ piece: String) {
        let page = Array(String(repeating: piece, count: 4_000_000 / piece.utf8.count).utf8)
        #expect(ReaderFrame.removed(from: page) == page)
    }
}
