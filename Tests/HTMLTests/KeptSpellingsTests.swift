import HTML
import Testing

/// Selectors by the values of links and sources match what they matched before saving.
struct KeptSpellingsTests {
    @Test(arguments: [
        (#"a[href*="://"] { color: red }"#, #"a[data-sbfs-own-href*="://"] { color: red }"#),
        ("a[ HREF ^= 'http' i]{}", "a[ data-sbfs-own-href ^= 'http' i]{}"),
        (#"a[h\72 ef$=".pdf"]{}"#, #"a[data-sbfs-own-href$=".pdf"]{}"#),
        (
            "@media screen { img[src='a.png'], a[/**/href=x] {} }",
            "@media screen { img[data-sbfs-own-src='a.png'], a[/**/data-sbfs-own-href=x] {} }"
        ),
        // Whether there is one is the same before and after.
        ("a[href] {}", "a[href] {}"), ("a[data-href='x'] {}", "a[data-href='x'] {}"),
        ("a::after { content: \"[href='x']\" }", "a::after { content: \"[href='x']\" }"),
        ("b { grid-template-columns: [href] 1fr [src] }", "b { grid-template-columns: [href] 1fr [src] }"),
    ])
    func `selectors name the attribute that keeps the spelling`(sheet: String, rewritten: String) throws {
        #expect(
            try Rewriting.page("<style>\(sheet)</style>", spellings: [.href, .src]).contains(
                "<style>\(rewritten)</style>"))
        #expect(try Rewriting.page("<style>\(sheet)</style>").contains("<style>\(sheet)</style>"))
    }

    @Test(arguments: [
        ("x-a:state(open) { top: 0 }", #"x-a[data-sbfs-state~="open"] { top: 0 }"#),
        (#":host(:STATE( l\6f ud )) b{}"#, #":host([data-sbfs-state~="loud"]) b{}"#),
        ("@media print { a:is(:state(x), b){} }", #"@media print { a:is([data-sbfs-state~="x"], b){} }"#),
        // No state, and no selector.
        ("a:state() {}", "a:state() {}"), ("a:state(b c) {}", "a:state(b c) {}"), ("a:state(b", "a:state(b"),
    ])
    func `a selector by a state names the attribute that keeps it`(sheet: String, rewritten: String) throws {
        #expect(try Rewriting.page("<style>\(sheet)</style>").contains("<style>\(rewritten)</style>"))
    }

    @Test(arguments: [
        ("a:indeterminate{}", "a:is(:indeterminate, [data-sbfs-indeterminate]){}"),
        (
            "@media print { :not(b:INDETERMINATE) + i {} }",
            "@media print { :not(b:is(:indeterminate, [data-sbfs-indeterminate])) + i {} }"
        ),
        // No such selector.
        ("a { --b:indeterminate; }", "a { --b:indeterminate; }"), ("a{b:indeterminate}", "a{b:indeterminate}"),
        ("a::indeterminate {}", "a::indeterminate {}"), ("a:indeterminate", "a:indeterminate"),
        ("a:indeterminates {}", "a:indeterminates {}"),
    ])
    func `a selector of undecided boxes names the attribute that keeps their state`(
        sheet: String, rewritten: String
    ) throws {
        #expect(try Rewriting.page("<style>\(sheet)</style>").contains("<style>\(rewritten)</style>"))
    }

    @Test func `a sheet says what it asks of custom elements`() {
        var selectors = ElementSelectors()
        selectors.read(
            Array(#"x-a:state(one){} @media all{:host(:STATE( t\77 o )){}} /* :state(no) */"#.utf8))
        #expect(selectors.states == ["one", "two"] && !selectors.namesDefined)
        selectors.read(Array("x-b:state(one):not(:defined) {}".utf8))
        #expect(selectors.states == ["one", "two"] && selectors.namesDefined)
    }

    @Test func `slots are assigned by name, since no script assigns them`() throws {
        let root = #"<template shadowrootmode="open" shadowrootslotassignment="manual">x</template>"#
        #expect(
            try Rewriting.page("<x-a>\(root)</x-a>").contains(
                #"<x-a><template shadowrootmode="open">x</template></x-a>"#))
    }

    @Test func `links and sources keep their spelling`() throws {
        let page =
            ##"<a href="other.html">x</a><a href="#top">y</a><img src="a.png" alt=z><link rel=next href=n><a name=q>"##
        let saved = try Rewriting.page(
            page, files: ["https://a.test/dir/a.png": .file("assets/1.png")], spellings: [.href, .src])
        #expect(saved.contains(##"<a href="https://a.test/dir/other.html" data-sbfs-own-href="other.html">x</a>"##))
        #expect(saved.contains(##"<a href="#top" data-sbfs-own-href="#top">y</a>"##))
        #expect(saved.contains(#"<img src="assets/1.png" alt="z" data-sbfs-own-src="a.png">"#))
        #expect(!(try Rewriting.page(page)).contains("data-sbfs-own"))
        // A picture in the page is not there twice.
        let inner = "<img src='data:image/png;base64,\(String(repeating: "A", count: 9_000))'>"
        let long = try Rewriting.page(inner, otherwise: .absolute, spellings: .src)
        #expect(long.contains("data-sbfs-own-src=\"data:image/png") && long.utf8.count < 9_000 + 2_200)
    }

    @Test(
        arguments: [
            ("a[href^='x']", [.href]), ("img[src$=\".svg\"]", [.src]), ("a[ href = 'x'],b[src~=y]", [.href, .src]),
            ("a[href]", []), ("[hreflang=de]", []), ("[href", []), ("[", []), ("", []), ("a[HREF*=x]", [.href]),
        ] as [(String, KeptSpellings)])
    func `what a sheet selects by is found in its bytes`(sheet: String, found: KeptSpellings) {
        #expect(KeptSpellings.selected(in: Array(sheet.utf8)) == found)
    }
}
