import Testing

@testable import HTML

struct PageEncodingTests {
    @Test(
        arguments: [
            ("<meta charset=koi8-r>", nil, "KOI8-R", EncodingCertainty.declared),
            ("<meta charset=koi8-r>", "text/html; charset=big5", "Big5", .header),
            ("<meta charset=koi8-r>", "text/html; charset=nonsense", "KOI8-R", .declared),
            ("\u{FEFF}<meta charset=koi8-r>", "text/html; charset=big5", "UTF-8", .byteOrderMark),
            ("<META HTTP-EQUIV='Content-Type' CONTENT=\"text/html; charset=EUC-JP\">", nil, "EUC-JP", .declared),
            ("<meta content='text/html; charset=euc-jp' http-equiv=content-type>", nil, "EUC-JP", .declared),
            ("<meta content='text/html; charset=euc-jp'>", nil, "UTF-8", .guessed),
            ("<meta http-equiv=refresh content='0; charset=euc-jp'>", nil, "UTF-8", .guessed),
            ("<meta charset=utf-16>", nil, "UTF-8", .declared),
            ("<meta charset=x-user-defined>", nil, "windows-1252", .declared),
            ("<!-- <meta charset=koi8-r> --><meta charset=big5>", nil, "Big5", .declared),
            ("<!--><meta charset=koi8-r>", nil, "KOI8-R", .declared),
            ("<!-- <meta charset=koi8-r>", nil, "UTF-8", .guessed),
            ("<a title='<meta charset=koi8-r>'><meta charset=big5>", nil, "Big5", .declared),
            ("<a title=\"><meta charset=koi8-r>", nil, "UTF-8", .guessed),
            ("<metal charset=koi8-r>", nil, "UTF-8", .guessed),
            ("<meta/charset=koi8-r/>", nil, "UTF-8", .guessed), ("<meta/charset='koi8-r'/>", nil, "KOI8-R", .declared),
            ("<meta charset = 'koi8-r' charset=big5>", nil, "KOI8-R", .declared),
            ("<meta charset=koi8-r", nil, "UTF-8", .guessed),
            ("<meta charset=nonsense><meta charset=koi8-r>", nil, "KOI8-R", .declared),
            ("<?x <meta charset=koi8-r>", nil, "UTF-8", .guessed),
            ("</a x='>'><meta charset=koi8-r>", nil, "KOI8-R", .declared),
            ("<script>'<meta charset=koi8-r>'", nil, "KOI8-R", .declared),
            ("<?xml version='1.0' encoding='koi8-r'?>", nil, "KOI8-R", .declared),
            ("<?xml encoding=koi8-r?>", nil, "UTF-8", .guessed),
            ("<?xml version='1.0' encoding = \"utf-16\"?><meta charset=big5>", nil, "Big5", .declared),
            ("<?xml encoding='utf-16'?>", nil, "UTF-8", .declared), ("é", nil, "UTF-8", .guessed),
            ("", nil, "UTF-8", .guessed),
        ] as [(String, String?, String, EncodingCertainty)])
    func `the encoding of a page is found as the standard says`(
        _ page: String, contentType: String?, name: String, certainty: EncodingCertainty
    ) {
        let found = CharacterEncoding.ofPage(Array(page.utf8), contentType: contentType)
        #expect(found.encoding.name == name && found.certainty == certainty)
    }

    @Test func `text without a declaration that is not UTF-8 is windows-1252`() {
        let found = CharacterEncoding.ofPage([0x63, 0xE9], contentType: "text/html")
        #expect(found.encoding == .windows1252 && found.certainty == .guessed)
    }

    @Test func `only the first 1024 bytes are searched for a declaration`() {
        let page = Array(String(repeating: " ", count: 1010).utf8) + Array("<meta charset=koi8-r>".utf8)
        #expect(CharacterEncoding.ofPage(page, contentType: nil).certainty == .guessed)
    }

    @Test(arguments: [
        ("@charset \"koi8-r\";a{}", nil, "KOI8-R"), ("@charset 'koi8-r';a{}", nil, "Big5"),
        ("@charset  \"koi8-r\";", nil, "Big5"),
        ("@CHARSET \"koi8-r\";", nil, "Big5"), ("@charset \"utf-16\";", nil, "UTF-8"), ("@charset \"x\";", nil, "Big5"),
        ("@charset \"koi8-r\" ;", nil, "Big5"), ("@charset \"koi8-r\";", "text/css;charset=utf-8", "UTF-8"),
        ("\u{FEFF}@charset \"koi8-r\";", "text/css;charset=big5", "UTF-8"), ("", nil, "Big5"),
        ("@charset \"", nil, "Big5"),
    ])
    func `the encoding of a style sheet is found as the standard says`(
        _ sheet: String, contentType: String?, name: String
    ) {
        let found = CharacterEncoding.ofStyleSheet(Array(sheet.utf8), contentType: contentType, environment: .big5)
        #expect(found.encoding.name == name)
    }
}
