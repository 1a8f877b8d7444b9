import Testing

@testable import Reader

/// The tree in one line: elements in parentheses, text in quotes.
func outline(_ page: String) -> String {
    let tree = PageParser.parse(Array(page.utf8))
    func text(_ index: Int) -> String {
        let node = tree.nodes[index]
        if node.tag == .text { return "'" + String(decoding: tree.bytes(index), as: UTF8.self) + "'" }
        var parts: [String] = []
        var child = index + 1
        while child < Int(node.end) {
            parts.append(text(child))
            child = Int(tree.nodes[child].end)
        }
        let name = node.tag == .document ? "" : node.tag.name
        return parts.isEmpty ? "\(name)()" : "\(name)(\(parts.joined(separator: " ")))"
    }
    return text(0)
}

struct PageTreeTests {
    @Test(arguments: [
        ("<p>one<p>two", "(p('one') p('two'))"),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "(ul(li('a') li('b' ul(li('c'))) li('d')))"),
        ("<dl><dt>t<dd>d<dt>u</dl>", "(dl(dt('t') dd('d') dt('u')))"),
        ("<table><tr><td>1<td>2<tr><th>3</table>x", "(table(tr(td('1') td('2')) tr(th('3'))) 'x')"),
        ("<table><td>1</table>", "(table(tr(td('1'))))"),
        ("<table><tr><td><table><tr><td>in</table>out</table>", "(table(tr(td(table(tr(td('in'))) 'out'))))"),
        ("<p>a<div>b</div>c</p>d", "(p('a') div('b') 'cd')"),
        ("<a href=1>x<a href=2>y</a>", "(a('x') a('y'))"),
        ("<h2><a id=x>a</a></h2><a name=y>b<a>c</a>", "(h2(span('a')) span('b') a('c'))"),
        ("<a id=x class=button>a</a><a id=y role=button>b</a>", "(a('a') a('b'))"),
        ("<b>1<p>2</b>3</p>", "(b('1' p('2')) '3')"),
        ("<h2>a<h3>b</h3>", "(h2('a') h3('b'))"),
        ("<picture><source><img></picture>x", "(picture(source() img()) 'x')"),
        ("<video><track>t</video>", "(video(track() 't'))"),
        ("<p>a<wbr>b", "(p('a' wbr() 'b'))"),
        ("<image src=x>", "(img())"),
        ("<div/>a</div>b", "(div('a') 'b')"),
        ("a</p>b</br>c", "('ab' br() 'c')"),
        ("<script>'<p>' </scripty> <!-- <script>x</script> --></script>z", "(script() 'z')"),
        ("<style><p></style>z", "(style() 'z')"),
        ("<!-- a > b --><!--> c --!> d", "(' c --!> d')"),
        ("<!-- a --!>d", "('d')"),
        ("<?php x ?>y", "('y')"),
        ("<textarea>\n<b>x</b></textarea>", "(textarea('\n<b>x</b>'))"),
        ("<title>a &amp; <b></title>", "(title('a & <b>'))"),
        ("1 < 2 &lt; 3 &copy 4 &#128; &nosuch; &AMP", "('1 < 2 < 3 © 4 € &nosuch; &')"),
        ("<svg><title>t</title><path/><p>out</p>", "(svg(other('t') other()) p('out'))"),
        (
            "<svg><g><foreignObject><p>in</p></foreignObject></g></svg><p>out</p>",
            "(svg(other(other(other('in')))) p('out'))"
        ),
        ("<p>x<", "(p('x<'))"),
        ("<p>x<a href='", "(p('x'))"), ("<p>x<a href='>", "(p('x'))"), ("<p>x</", "(p('x</'))"),
        ("<pre>\nx</pre><pre>x\n</pre>", "(pre('x') pre('x\n'))"), ("<bgsound>x", "(bgsound() 'x')"),
        ("<form><form><input></form>x</form>", "(form(input()) 'x')"),
        ("<html><head><title>t</title><body><p>x</body></html>y", "(html(head(title('t')) body(p('xy'))))"),
        ("<select><option>a<option>b</select>", "(select(option('a') option('b')))"),
        ("<ruby>漢<rt>kan</ruby>", "(ruby('漢' rt('kan')))"),
    ])
    func `markup becomes the tree that browsers build`(_ page: String, _ expected: String) {
        #expect(outline(page) == expected)
    }

    @Test func `an attribute keeps its first value, decoded`() {
        let tree = PageParser.parse(Array("<a HREF=\"?a=1&amp;b=2&copy=3\" href=x title='q \"' id=>t</a>".utf8))
        #expect(tree.string(1, .href) == "?a=1&b=2&copy=3")
        #expect(tree.string(1, .title) == "q \"")
    }

    private static let hostile: [String: String] = [
        "elements that never end": String(repeating: "<div>", count: 300_000),
        "ends without starts": String(repeating: "<div>x</span>", count: 100_000),
        "crossed elements": String(repeating: "<b><p>", count: 100_000),
        "tables in tables": String(repeating: "<table><tr><td>", count: 50_000),
        "a tag of tags": String(repeating: "<a ", count: 200_000),
        "many attributes": "<p " + String(repeating: "id=x ", count: 200_000) + ">",
        "comments": String(repeating: "<!--", count: 200_000),
        "scripts": String(repeating: "<script>", count: 50_000),
        "drawings in drawings": String(repeating: "<svg><g>", count: 100_000),
        "labels without end": String(repeating: "<svg><foreignObject>", count: 50_000),
        "elements for readers without scripts": String(repeating: "<noscript>", count: 100_000),
        "frames for readers without scripts": String(repeating: "<noscript><iframe></noscript>", count: 40_000),
        "ampersands": String(repeating: "&", count: 300_000),
        "items": String(repeating: "<li></ul>", count: 100_000),
        "scripts in comments in a script": "<script>" + String(repeating: "<!-- <script ", count: 20_000),
    ]

    @Test(arguments: hostile.keys.sorted())
    func `a hostile page is read to its end, but no deeper than the limit`(_ name: String) throws {
        let page = try #require(Self.hostile[name])
        let tree = PageParser.parse(Array(page.utf8))
        var deepest = 0
        var depths = [Int](repeating: 0, count: tree.nodes.count)
        for index in tree.nodes.indices.dropFirst() {
            depths[index] = depths[Int(tree.nodes[index].parent)] + 1
            deepest = max(deepest, depths[index])
        }
        #expect(deepest <= PageTree.depthLimit + 1)
    }

    @Test func `every node's range is within its parent's`() {
        let tree = PageParser.parse(Array("<div><p>a<b>c</p><ul><li>x<table><tr><td>y</ul></table><p>z".utf8))
        for index in tree.nodes.indices.dropFirst() {
            let parent = Int(tree.nodes[index].parent)
            #expect(parent < index && tree.nodes[index].end <= tree.nodes[parent].end)
        }
    }

    @Test func `the first of several attributes with one name counts, and the others use no memory`() {
        let tree = PageParser.parse(
            Array(("<p id=a " + String(repeating: "id=b ID class=c ", count: 1000) + "><p id=c>").utf8))
        #expect(tree.attributes.count == 3)
        #expect(tree.string(1, .id) == "a" && tree.string(1, .class) == "c" && tree.string(2, .id) == "c")
    }
}
