import Foundation
import Testing

@testable import HTML

/// Texts that declare no encoding.
struct UndeclaredEncodingTests {
    /// Sentences about a bridge, in base64.
    private static let texts: [(encoding: String, language: String, bytes: String)] = [
        (
            "windows-1251", "",
            "0fLg8PvpIOzu8fIg9+Xw5ecg8OXq8yDn4Orw+/Ig5O4g7vHl7eg6IPDg4e736OUg7OXt//7yIOTu8eroIOgg6vDg8f/yIO/l"
                + "8Ojr4C4gz+Dw7uwg9e7k6PIg6uDm5PvpIPfg8S4="
        ),
        (
            "koi8-u", "",
            "89TB0tnKIM3P09Qg3sXSxdog0sXL1SDawcvS2dQgxM8gz9PFzsk6INLBws/eycUgzcXO0cDUIMTP08vJIMkgy9LB09HUINDF"
                + "0snMwS4g8MHSz80gyM/EydQgy8HWxNnKIN7B0y4="
        ),
        (
            "iso-8859-5", "",
            "weLQ4OvZINze4eIg59Xg1dcg4NXa4yDX0Nrg6+Ig1N4g3uHV3dg6IODQ0d7n2NUg3NXd7+7iINTe4drYINgg2uDQ4e/iIN/V"
                + "4Njb0C4gv9Dg3twg5d7U2OIg2tDW1OvZIOfQ4S4="
        ),
        (
            "ibm866", "",
            "keKg4OupIKyu4eIg56Xgpacg4KWq4yCnoKrg6+IgpK4gruGlrag6IOCgoa7nqKUgrKWt7+7iIKSu4aqoIKggquCg4e/iIK+l"
                + "4KiroC4gj6Dgrqwg5a6kqOIgqqCmpOupIOeg4S4="
        ),
        (
            "windows-1251", "",
            "0fLg8OjpIOyz8fIg9+Xw5ecg8LP36vMg5+D36O3l7e4g5O4g7vHl7bM6IPDu4bPy7ejq6CDss+3//vL8IOTu+OroIOkg9ODw"
                + "4fP+8vwg7+7w8/ftsy4gz+7w7uwg9e7k6PL8IPnu4+7k6O3oLg=="
        ),
        (
            "windows-1251", "",
            "1sXN2yDNwCDVy8XBLiDB8/Xg7ergIPDm4O3u4+4g8fLu6PIg8e7w7uog8PPh6+XpLCDx6PLt7uPuIJcg7//y/OTl8f/yIOTi"
                + "4C4="
        ),
        (
            "windows-1253", "",
            "xyDw4evp3CDj3fb18eEg9O/1IPDv9OHs7/0g7N3t5ekg6uvl6fP03iD58iD07yD26Ont/PD58e8sIOPp4fTfIO/pIOXx49z0"
                + "5fIg4evr3Obv9e0g9OnyIPPh7d/k5fIu"
        ),
        (
            "windows-1255", "",
            "5OL5+CDk6fnvIO7y7CDk8OT4IPHi5fgg8uMg5PH66eUsIOvpIOT05fLs6e0g7ufs6fTp7SDg+iDk9/j56e0g5fbl4fLp7SDg"
                + "+iDk7vL35C4="
        ),
        (
            "windows-1256", "",
            "x+HM09Egx+Hez+3jIN3m3iDH4eTl0SDj2+HeIM3K7CDH4c7R7d0g4cPkIMfh2uPH4SDt2+3R5uQgx+HD4ebHzSDm7c/l5Obk"
                + "IMfh0+bRLg=="
        ),
        (
            "windows-874", "",
            "ytC+0rngoejSounSweHB6Lnp07vUtKi5ttanxLTZ47rkwenD6MenIOC+w9LQpLmn0rmh08XRp+C7xdXowrnhvOi55MHp4cXQ"
                + "t9LK1cPSxw=="
        ),
        (
            "Shift_JIS", "",
            "kOyCyYKpgqmC6YzDgqKLtILNj0iC3ILFksqC6oLcgrmC8YFCkeWNSIKqlMKC8I7mguiR1oKmgUGO6IK3guiC8JNoguiSvIK1"
                + "gsSCooLcgreBQpNugrWRRILNiOqOnorUgrKCxoLJj2+C3IK3gUI="
        ),
        (
            "EUC-JP", "",
            "wO6ky6SrpKuk67jFpKS2tqTPvamk3qTHxMyk7KTepLuk86Gjwue5qaSsyMSk8rzopOrC2KSooaK86qS5pOqk8sXJpOrEvqS3"
                + "pMakpKTepLmho8XPpLfBpaTPsOy7/rTWpLSkyKTLvdCk3qS5oaM="
        ),
        (
            "GBK", "",
            "utPJz7XEwM/HxdKqudi1vcfvzOyjrLmkyMvV/dTau7vEvrDlo6y4+MC4uMvLosbhoaO2ybSsw7/Qocqxv6rSu7Dgo6zGsbzb"
                + "wb3UqqOs0afJ+rDrvNuhow=="
        ),
        (
            "Big5", "",
            "qmWkV6q6ptG+9K1uw/ao7KzupNGhQaR1pEilv6ZitKuk7KpPoUG1ucTmp/2o6rqjoUO057LuqEOkcK7Jtn2kQK9aoUGyvLv5"
                + "qOKkuKFBvselzaViu/mhQw=="
        ),
        (
            "EUC-KR", "",
            "sK3AuyCwx7PKtMIgv8C3obXIILTZuK60wiCwocC7se7B9iC03cf0IMDWvcC0z7TZLiDAz7LbtenAzCCzzrr+wfa4piC52bLZ"
                + "sO0gs62wo8C7IMSlx8+w7SDA1r3AtM+02S4="
        ),
        (
            "windows-1252", "",
            "TGUgdmlldXggcG9udCBkZSBsYSByaXZp6HJlIHJlc3RlIGZlcm3pIGp1c3F1kuAgbJLpdOkgOiBsZXMgb3V2cmllcnMgb250"
                + "IGNoYW5n6SBsZXMgcGxhbmNoZXMgYWLubellcywgZOlq4CBwb3PpZXMg4CBj9HTpLg=="
        ),
        (
            "windows-1252", "",
            "RGllIGFsdGUgQnL8Y2tlIPxiZXIgZGVuIEZsdd8gYmxlaWJ0IGJpcyB6dW0gU3DkdGhlcmJzdCBnZXNjaGxvc3NlbjsgZGll"
                + "IE3kbm5lciBt/HNzZW4gZ3L232VyZSBCb2hsZW4gZWluZvxnZW4u"
        ),
        (
            "windows-1252", "",
            "RWwgcHVlbnRlIHZpZWpvIGVzdOEgY2VycmFkbyBoYXN0YSBlbCBvdG/xbzogv3F1aeluIHBpbnRhcuEgZGVzcHXpcyBsYSBi"
                + "YXJhbmRhPyBNYfFhbmEgaGFicuEgbeFzIG5p8W9zIGFxde0u"
        ),
        (
            "windows-1252", "",
            "RGVuIGdhbWxhIGJyb24g9nZlciDlbiDkciBzdORuZ2QgdGlsbCBo9nN0ZW47IGLldGVuIGflciB2YXJqZSB0aW1tZSBmcuVu"
                + "IGJyeWdnYW4gcOUgaPZnZXIgc2lkYS4="
        ),
        (
            "windows-1252", "",
            "QSBwb250ZSB2ZWxoYSBu428gYWJyZSBhdOkgbyBvdXRvbm86IHPjbyB0cupzIHThYnVhcyBwb3IgZGlhLCBlIGEgcGludHVy"
                + "YSBz8yBjb21l52EgZW0gbWFy528uIMkgcHJlY2lzbyBhdGVu5+NvLg=="
        ),
        (
            "windows-1250", "pl",
            "U3RhcnkgbW9zdCBwcnpleiByemVr6iBi6mR6aWUgemFta25p6nR5IGRvIGplc2llbmksIGJvIHJvYm90bmljeSB3eW1pZW5p"
                + "YWq5IJ9sZSBwb7Nvv29uZSBkZXNraS4gQ3rqnOYgnGNpZb9raSB0Zb8u"
        ),
        (
            "iso-8859-2", "pl",
            "U3RhcnkgbW9zdCBwcnpleiByemVr6iBi6mR6aWUgemFta25p6nR5IGRvIGplc2llbmksIGJvIHJvYm90bmljeSB3eW1pZW5p"
                + "YWqxILxsZSBwb7Nvv29uZSBkZXNraS4gQ3rqtuYgtmNpZb9raSB0Zb8u"
        ),
        (
            "windows-1250", "cs",
            "U3Rhcv0gbW9zdCBw+GVzIPhla3UgamUgZG8gcG9kemltdSB6YXb4ZW79LCBk7Gxu7WNpIG3sbu0gcHJrbmEgYSBuYXTtcmFq"
                + "7SB64WJyYWRs7S4gRGFsmu0gcPjtdm96IGplemTtIGthnmRvdSBob2RpbnUsIGGdIHBymu0sIOhpIG5lLiCKnWFzdG5vdSBj"
                + "ZXN0dSE="
        ),
        (
            "iso-8859-2", "cs-CZ",
            "U3Rhcv0gbW9zdCBw+GVzIPhla3UgamUgZG8gcG9kemltdSB6YXb4ZW79LCBk7Gxu7WNpIG3sbu0gcHJrbmEgYSBuYXTtcmFq"
                + "7SB64WJyYWRs7S4gRGFsue0gcPjtdm96IGplemTtIGthvmRvdSBob2RpbnUsIGG7IHByue0sIOhpIG5lLiCpu2FzdG5vdSBj"
                + "ZXN0dSE="
        ),
        (
            "windows-1254", "tr",
            "SXJtYfD9biD8emVyaW5kZWtpIGVza2kga/Zwcvwgc29uYmFoYXJhIGthZGFyIGthcGFs/Tsgaf7naWxlciB0YWh0YWxhcv0g"
                + "ZGXwaf50aXJpeW9yLg=="
        ),
        (
            "windows-1257", "lt",
            "U2VuYXMgdGlsdGFzIHBlciB1cOYgdf5kYXJ5dGFzIGlraSBydWRlbnMsIG5lcyBkYXJiaW5pbmthaSBrZWnoaWEgbGVudGFz"
                + "IGlyIGRh/m8gdHVy62tsdXMu"
        ),
    ]

    private func page(_ index: Int) throws -> [UInt8] {
        let text = Self.texts[index]
        let start = "<!DOCTYPE html>\n<html lang=\"\(text.language)\"><title>Bridge</title><p class=news>"
        return try Array(start.utf8) + #require(Data(base64Encoded: text.bytes))
    }

    @Test(arguments: texts.indices)
    func `a page is read in its encoding`(_ index: Int) throws {
        let found = CharacterEncoding.ofPage(try page(index), contentType: "text/html")
        #expect(found.encoding == CharacterEncoding(label: Self.texts[index].encoding))
        #expect(found.certainty == .guessed)
    }

    @Test(arguments: texts.indices)
    func `a cut page is read alike, and what is declared counts`(_ index: Int) throws {
        let page = try page(index)
        let wanted = CharacterEncoding(label: Self.texts[index].encoding)
        for count in (page.count - 3)..<page.count {
            #expect(CharacterEncoding.ofPage(Array(page[..<count]), contentType: nil).encoding == wanted)
        }
        #expect(
            CharacterEncoding.ofPage(page, contentType: "text/html; charset=iso-8859-15").encoding.name == "ISO-8859-15"
        )
    }

    @Test func `a few bytes and noise are windows-1252`() {
        for text: [UInt8] in [
            [0xE9], [0x93, 0x61, 0x94], [0xC3, 0x20, 0xA9, 0x20],
            Array("\u{A9} 2026".unicodeScalars.map { UInt8($0.value) }),
        ] {
            #expect(CharacterEncoding.ofPage(text, contentType: nil).encoding == .windows1252)
        }
    }
}
