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
}
