import Characters
import Testing

@testable import URLs

/// Punycode; samples A to S of RFC 3492, section 7.1. The RFC's own spelling keeps upper case as an annotation, which
/// the comparison ignores.
struct InternationalHostTests {
    @Test(arguments: [
        ("Arabic", "ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
        ("Chinese (simplified)", "他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("Chinese (traditional)", "他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"),
        ("Czech", "Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
        ("Hebrew", "למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
        ("Hindi", "यहलोगहिन्दीक्योंनहींबोलसकतेहैं", "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd"),
        ("Japanese", "なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
        (
            "Korean", "세계의모든사람들이한국어를이해한다면얼마나좋을까",
            "989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"
        ),
        ("Russian", "почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("Spanish", "PorquénopuedensimplementehablarenEspañol", "PorqunopuedensimplementehablarenEspaol-fmd56a"),
        ("Vietnamese", "TạisaohọkhôngthểchỉnóitiếngViệt", "TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g"),
        ("3<nen>B<gumi><kinpachi><sensei>", "3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
        ("<amuro><namie>-with-SUPER-MONKEYS", "安室奈美恵-with-SUPER-MONKEYS", "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"),
        (
            "Hello-Another-Way-<sorezore><no><basho>", "Hello-Another-Way-それぞれの場所",
            "Hello-Another-Way--fc4qua05auwb3674vfr0b"
        ),
        ("<hitotsu><yane><no><shita>2", "ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
        ("Maji<de>Koi<suru>5<byou><mae>", "MajiでKoiする5秒前", "MajiKoi5-783gue6qz075azm5e"),
        ("<pafii>de<runba>", "パフィーdeルンバ", "de-jg4avhby1noc0d"),
        ("<sono><supiido><de>", "そのスピードで", "d9juau41awczczp"),
        ("-> $1.00 <-", "-> $1.00 <-", "-> $1.00 <--"),
    ])
    func `the samples of the standard have their encodings`(_ name: String, text: String, encoding: String) {
        #expect(InternationalHost.punycode(text.unicodeScalars.map(\.value)) == encoding)
    }

    @Test(arguments: [
        ("example.COM", "example.com"), ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER.EXAMPLE", "xn--bcher-kva.example"),
        ("faß.de", "xn--fa-hia.de"), ("☃.net", "xn--n3h.net"), ("a。b．c｡d", "a.b.c.d"), ("日本。jp.", "xn--wgv71a.jp."),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ])
    func `a host has one form in ASCII`(_ host: String, ascii: String) {
        #expect(InternationalHost.ascii(host) == ascii)
    }

    @Test func `scalars of every plane are encoded without overflow`() {
        let label: [UInt32] = [0x10FFFF, 0x80, 0x10FFFF, 0x61]
        #expect(InternationalHost.punycode(label)?.hasPrefix("a-") == true)
    }

    @Test func `normal form C composes canonical sequences and nothing else`() {
        func scalars(_ text: String) -> [UInt32] { CanonicalComposition.nfc(text).unicodeScalars.map(\.value) }
        #expect(scalars("e\u{301}") == [0xE9])
        #expect(scalars("\u{212B}") == [0xC5])
        #expect(scalars("\u{1100}\u{1161}") == [0xAC00])
        #expect(scalars("\u{FB01}") == [0xFB01])
        #expect(scalars("a\u{323}\u{302}") == scalars("a\u{302}\u{323}"))
        #expect(scalars("plain") == Array("plain".unicodeScalars).map(\.value))
    }
}
