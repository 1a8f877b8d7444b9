import Testing

@testable import URLs

struct DataURLTests {
    @Test(arguments: [
        ("data:,a%20b", "", "a b"), ("data:text/plain;charset=x,%41", "text/plain;charset=x", "A"),
        ("data:image/gif;base64,YWJj", "image/gif", "abc"),
        ("data:image/gif; BASE64 ,YW Jj", "image/gif", "abc"),
        ("data:image/gif;  base64,%59WJj", "image/gif", "abc"), ("data:;x=y,a", "text/plain;x=y", "a"),
        ("data:;base64,YQ==", "", "a"), ("data:base64,YQ==", "base64", "YQ=="), ("data:,a#b", "", "a"),
    ])
    func `type and body come apart`(_ text: String, type: String, body: String) throws {
        let data = try #require(WebURL(text).flatMap { DataURL($0) })
        #expect(data.mimeType == type)
        #expect(String(decoding: data.body, as: UTF8.self) == body)
    }

    @Test(arguments: ["data:text/html", "data:;base64,a", "data:;base64,a=b", "http://a/,b"])
    func `other URLs than data URLs are refused`(_ text: String) throws {
        #expect(DataURL(try #require(WebURL(text))) == nil)
    }
}
