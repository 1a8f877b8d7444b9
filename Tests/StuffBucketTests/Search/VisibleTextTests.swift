import StuffBucket
import TestSupport
import Testing

/// The visible text of a page.
struct VisibleTextTests {
    private func text(_ page: String) -> String { String(decoding: VisibleText.of(Array(page.utf8)), as: UTF8.self) }

    @Test(arguments: [
        ("plain", "plain"), ("a<b>b</b>c", "abc"), ("<p>a</p><p>b</p>", "a\nb\n"), ("a<br>b", "a\nb"),
        ("<td>a</td><td>b</td>", "a\nb\n"), ("a<script>x < y && '</p>'</script>b", "ab"),
        ("a<SCRIPT type=x>1</ScRiPt >b", "ab"), ("a<style>p{}</style>b", "ab"), ("a<!-- <p>x</p> -->b", "ab"),
        ("a<!-->b", "ab"), ("a<!--->b", "ab"), ("a<!-- x --!>b", "ab"), ("a<!doctype html>b", "ab"),
        ("a<?php x ?>b", "ab"), ("a<![CDATA[x < y]]>b", "ab"), ("a<math><![CDATA[x < y]]></math>b", "ax < yb"),
        ("a <3 b", "a <3 b"), ("1 < 2 > 0", "1 < 2 > 0"),
        ("<a href='x>y' title=\"a>b\">c</a>", "c"), ("<a href=x>c</a>", "c"), ("<img alt=x/>c", "c"),
        ("<head><title>t</title><meta charset=utf-8></head><body>b", "b"), ("<head><title>t</title><p>b", "b"),
        ("<head><noscript><img src=x></noscript><title>t</title></head>b", "b"),
        ("<head><link rel=x><body>b", "b"), ("a<svg><text>x</text><svg></svg>y</svg>b", "a\nx\nb"),
        ("a<svg><title>t</title><style>s</style><text>x<tspan>y</tspan></text><text>z</text></svg>b", "a\nxy\nz\nb"),
        ("<svg><foreignObject><div>x</div><div>y</div></foreignObject>z</svg>", "x\ny\n"), ("a<svg/>b", "ab"),
        ("a<template><p>x</p></template>b", "ab"),
        ("<p>古い<ruby>水車小屋<rt>すいしゃごや</rt></ruby>が<p>あ", "古い水車小屋が\nすいしゃごや\nあ"),
        ("<ruby>柚<rp>(</rp><rt>ゆ</rt><rp>)</rp>子<rt>ず</ruby>の木", "柚子の木\nゆ ず\n"),
        ("<ruby><rb>漢<rt>かん<rb>字<rt>じ</ruby>", "漢字\nかん じ\n"),
        ("<ruby>a<rt>b<p>c</ruby>d", "a\nb\ncd"),
        ("a<template shadowrootmode=open>x<template>y</template>z</template>b", "a\nxz\nb"),
        ("<template shadowrootmode=Closed><template shadowrootmode=open>x</template></template>b", "x\nb"),
        ("a<template><template shadowrootmode=open>x</template>y</template>b", "ab"),
        ("a<template shadowrootmode=no>x</template><template class=shadowrootmode>y</template>b", "ab"),
        ("a<noscript>x</noscript>b", "ab"),
        ("&amp;&lt;&gt;&quot;&apos;&nbsp;", "&<>\"'\u{A0}"), ("&eacute;&Eacute;&euro;&hellip;", "éÉ€…"),
        ("caf&eacute", "café"), ("a & b &unknown; &", "a & b &unknown; &"), ("&notit;", "¬it;"),
        ("&nGt;&NotEqualTilde;", "\u{226B}\u{20D2}\u{2242}\u{338}"),
        ("&#233;&#xE9;&#XE9;&#233", "éééé"), ("&#128;&#x99;", "€™"),
        ("&#0;&#xD800;&#x110000;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("a<textarea><b>&amp;</textarea>b", "a\n<b>&\nb"), ("<xmp><b>&amp;</xmp>b", "<b>&amp;\nb"),
        ("a<plaintext>&amp;</plaintext>", "a\n&amp;</plaintext>"), ("\n<head>\n<meta>\n</head>\n b", "\n b"),
        ("&#;&#x;", "&#;&#x;"), ("&#x1F600;", "😀"), ("<p", ""), ("<", "<"), ("</", "</"), ("<!--", ""),
        ("<![CDATA[", ""),
        ("<a b='", ""), ("a<script>", "a"), ("&", "&"), ("&#", "&#"), ("", ""),
        ("10<sup>6</sup>", "10^6"), ("10<sup>−3</sup>a", "10^−3a"), ("1<sup>st</sup>", "1st"), ("m<sup>2</sup>", "m2"),
        ("1990<sup><a>3</a></sup>", "19903"), ("H<sub>2</sub>O", "H2O"),
        ("a <math><msup><mn>10</mn><mn>6</mn></msup></math> b", "a 10^6 b"),
        ("<math><mfrac><mn>1</mn><mrow><mn>2</mn><mi>x</mi></mrow></mfrac></math>", "1/2x"),
        ("<math><msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup><msqrt><mn>3</mn></msqrt></math>", "a_1^2√3"),
        ("<math><semantics><mi>x</mi><annotation encoding=t>\\x</annotation></semantics></math>y", "xy"),
        ("<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable></math>", "1 2"),
    ])
    func `tags go and text stays`(page: String, expected: String) {
        #expect(text(page) == expected)
    }

    @Test(
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x61], "a"), ([0x63, 0x61, 0x66, 0xE9], "café"), ([0x80], "€"),
            ([0xFF, 0xFE, 0x61, 0, 0xE9, 0], "aé"), ([0xFE, 0xFF, 0, 0x61], "a"), ([0xC3, 0xA9], "é"),
        ] as [([UInt8], String)])
    func `bytes are read in the charset that they are in`(page: [UInt8], expected: String) {
        #expect(String(decoding: VisibleText.of(page), as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("<meta charset=iso-8859-1>caf", "café"), ("<meta charset=\"Windows-1252\">caf", "café"),
        ("<?xml version='1.0' encoding='latin1'?>caf", "café"), ("<meta charset=koi8-r>caf", "cafИ"),
    ])
    func `a page says its charset`(start: String, expected: String) {
        let page = Array(start.utf8) + [0xE9]
        #expect(String(decoding: VisibleText.of(page), as: UTF8.self) == expected)
    }

    @Test func `the text of any bytes is hardly longer than the page`() {
        var random = SeededGenerator.forFuzzing
        let pieces = [
            "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>", "<script>", "</script", "<head>", "<svg>", "</svg>", "&",
            "&#", "&#x",
            "&amp", ";", "'", "\"", "=", "a", "é", "<p ", "/>", "\0", "charset=", "<template>", "</template>",
        ]
        for _ in 0..<FuzzSetting.cases(3000) {
            var page: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<40, using: &random) {
                if Int.random(in: 0..<6, using: &random) == 0 {
                    page.append(UInt8.random(in: 0...255, using: &random))
                } else {
                    page += (pieces.randomElement(using: &random) ?? "").utf8
                }
            }
            #expect(VisibleText.of(page).count <= page.count * 3)
        }
        for piece in pieces {
            let page = Array(String(repeating: piece, count: 300_000 / piece.utf8.count).utf8)
            #expect(VisibleText.of(page).count <= page.count * 6 / 5, "\(piece)")
        }
    }
}
