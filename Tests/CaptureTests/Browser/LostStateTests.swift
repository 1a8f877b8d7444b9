import TestSupport
import Testing

@testable import Capture

/// State of elements that markup does not show: slots that a script assigns, states of custom elements, and what a
/// person opened or selected. With the installed browser.
@Suite(
    .enabled(
        if: Machine.mustRunAll || BrowserTrial.installed != nil, "no Chromium, Chrome, Edge or Brave is installed"),
    .serialized)
struct LostStateTests {
    @Test func `slots that a script assigns name their content`() throws {
        let trial = try BrowserTrial([
            "/open": Self.slots("open"), "/closed": Self.slots("closed"),
        ])
        for path in ["/open", "/closed"] {
            let html = try trial.html(path)
            #expect(html.contains(#"<slot id="one" name="sbfs-0"></slot>"#), "\(html)")
            #expect(html.contains(#"<slot id="two" name="sbfs-1">nothing</slot>"#), "\(html)")
            #expect(html.contains(#"<p slot="sbfs-0">second</p>"#), "\(html)")
            #expect(html.contains(#"<span slot="sbfs-0" style="display: contents;">words</span>"#), "\(html)")
            #expect(html.contains("<p>first</p>"), "\(html)")
        }
        try trial.end()
    }

    private static func slots(_ mode: String) -> String {
        """
        <!DOCTYPE html><x-menu id=m><p slot=old>first</p><p>second</p>words</x-menu><script>
        customElements.define('x-menu', class extends HTMLElement {});
        const r = m.attachShadow({mode: '\(mode)', slotAssignment: 'manual'});
        r.innerHTML = '<slot id=one></slot><slot id=two name=old>nothing</slot>';
        r.firstChild.assign(m.children[1], m.lastChild)</script>
        """
    }

    @Test func `states of custom elements become an attribute`() throws {
        let trial = try BrowserTrial([
            "/": """
            <!DOCTYPE html><style>x-box:state(open) { color: red }
            @media all { :is(x-box:state(\\6c oud)) { top: 0 } }</style>
            <link rel=stylesheet href=/more.css>
            <x-box id=a data-sbfs-state=open></x-box><x-box id=b></x-box><script>
            customElements.define('x-box', class extends HTMLElement {
              constructor() { super(); this.i = this.attachInternals() } });
            b.i.states.add('open'); b.i.states.add('more'); b.i.states.add('unseen'); b.i.states.add('loud')</script>
            """
        ]) { _ in .text("x-box:state( more ) { top: 0 }", fields: ["Content-Type: text/css"]) }
        let html = try trial.html("/")
        let boxes = #"<x-box id="a"></x-box><x-box id="b" data-sbfs-state="open loud more"></x-box>"#
        #expect(html.contains(boxes), "\(html)")
        try trial.end()
    }

    @Test func `states that only a sheet of another origin names are kept too`() throws {
        let other = try TestServer { request in
            request.path == "/one.css"
                ? .text("@import 'two.css'; x-box:not(:defined) { top: 0 }", fields: ["Content-Type: text/css"])
                : .text("x-box:state(far) { color: red }", fields: ["Content-Type: text/css"])
        }
        let trial = try BrowserTrial([
            "/": """
            <!DOCTYPE html><link rel=stylesheet href="\(other.address("/one.css"))"><x-box id=a></x-box><script>
            customElements.define('x-box', class extends HTMLElement {
              constructor() { super(); this.attachInternals().states.add('far') } })</script>
            """
        ])
        var request = try trial.request("/")
        request.addressRule = AddressRule(
            allowed: [
                HostPort(host: "127.0.0.1", port: trial.server.port), HostPort(host: "127.0.0.1", port: other.port),
            ])
        let page = try trial.browser.render(request)
        #expect(page.text.contains(#"<x-box id="a" data-sbfs-state="far""#), "\(page.text)")
        #expect(page.notes == [.definedElements])
        try trial.end()
        other.close()
    }

    @Test func `check boxes that a script left undecided are marked, and drawn`() throws {
        let trial = try BrowserTrial([
            "/": """
            <!DOCTYPE html><style>#b { appearance: none }</style><input type=checkbox id=a data-sbfs-indeterminate>
            <input type=checkbox id=b><input type=checkbox id=c><script>
            b.indeterminate = c.indeterminate = true</script>
            """
        ])
        let html = try trial.html("/")
        #expect(html.contains(#"<input type="checkbox" id="a">"#), "\(html)")
        #expect(html.contains(#"<input type="checkbox" id="b" data-sbfs-indeterminate="">"#), "\(html)")
        let drawn = #"id="c" data-sbfs-indeterminate="" style="vertical-align: -3px !important; appearance: none"#
        #expect(html.contains(drawn), "\(html)")
        try trial.end()
    }

    @Test func `a scrolled box starts at what it shows`() throws {
        let lines = (0..<40).map { "<p id=p\($0)>line</p>" }.joined()
        let trial = try BrowserTrial([
            "/": """
            <!DOCTYPE html><style>p { margin: 0; height: 20px }</style>
            <div id=box style="height: 100px; overflow: auto">\(lines)</div><div style="height: 3000px"></div>
            <script>box.scrollTop = 250; scrollTo(0, 500)</script>
            """
        ])
        let html = try trial.html("/")
        #expect(html.contains(#"<p id="p13" style="scroll-initial-target: nearest;">"#), "\(html)")
        #expect(html.split(separator: "scroll-initial-target").count == 2)
        try trial.end()
    }

    @Test func `what is selected and open is in the markup`() throws {
        let trial = try BrowserTrial([
            "/": """
            <!DOCTYPE html><div role=tablist><b id=t1 role=tab aria-selected=true tabindex=0>1</b><b id=t2 role=tab>2</b></div>
            <details name=g open id=d1><summary>a</summary></details><details name=g id=d2><summary>b</summary></details>
            <ul role=tree><li id=e role=treeitem aria-expanded=false>x</ul><script>
            t1.ariaSelected = 'false'; t1.tabIndex = -1; t2.ariaSelected = 'true'; t2.tabIndex = 0; d2.open = true;
            e.ariaExpanded = 'true'</script>
            """
        ])
        let html = try trial.html("/")
        #expect(html.contains(#"<b id="t1" role="tab" aria-selected="false" tabindex="-1">"#), "\(html)")
        #expect(html.contains(#"<b id="t2" role="tab" aria-selected="true" tabindex="0">"#), "\(html)")
        #expect(html.contains(#"<details name="g" id="d1">"#) && html.contains(#"<details name="g" id="d2" open="">"#))
        #expect(html.contains(#"aria-expanded="true""#), "\(html)")
        try trial.end()
    }

    @Test func `preformatted text that begins with an empty line keeps it`() throws {
        let trial = try BrowserTrial([
            "/": """
            <!DOCTYPE html><pre id=a>

              code</pre><pre id=b>plain</pre><textarea id=c>

            field</textarea><pre id=d></pre><script>d.textContent = '\\nmade'</script>
            """
        ])
        let html = try trial.html("/")
        #expect(html.contains("<pre id=\"a\">\n\n  code"), "\(html)")
        #expect(html.contains("<pre id=\"b\">plain"))
        #expect(html.contains("<textarea id=\"c\">\n\nfield"))
        #expect(html.contains("<pre id=\"d\">\n\nmade"))
        try trial.end()
    }
}
