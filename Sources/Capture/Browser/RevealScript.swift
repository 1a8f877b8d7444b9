/// The part of `PageScript` that shows what the page shows only while it is in the window: boxes whose class changes when
/// they are scrolled to and back, and boxes that a script moved or faded in.
enum RevealScript {
    static let source = #"""
        const toggled = new Set();
        const noteToggled = list => {
          for (const m of list) if (m.type === 'attributes' && /^(class|style|data-.*|aria-hidden)$/.test(m.attributeName) && toggled.size < 5000) toggled.add(m.target);
        };
        // A slide of a show lies on others; such a box is in the flow.
        const isFaded = e => {
          const c = getComputedStyle(e);
          return +c.opacity < 0.1 && c.display !== 'none' && !/absolute|fixed/.test(c.position) && (e.innerText || '').trim() + (e.querySelector('img,svg,video,canvas') || e.matches('img') ? 'x' : '');
        };
        // What a script animated keeps its last state, which is in no style of the element. Sheets have their own animations.
        const keepAnimated = () => {
          for (const root of rootsOf(document)) for (const a of (root.getAnimations ? root.getAnimations() : []).slice(0, 5000)) {
            try {
              if (a.playState === 'finished' && !(a instanceof CSSAnimation || a instanceof CSSTransition)) a.commitStyles();
            } catch { }
          }
        };
        const reveal = roots => {
          let looked = 0;
          for (const t of toggled) {
            if (!t.isConnected || !roots.includes(t.getRootNode()) || t.closest('nav,dialog,[role=dialog],[data-sbfs-cover]')) continue;
            for (const e of [t, ...t.querySelectorAll('*')].slice(0, 300)) {
              if (++looked > 20000) return;
              if (!isFaded(e)) continue;
              if (!e.hasAttribute('data-sbfs-revealed')) e.setAttribute('data-sbfs-revealed', e.getAttribute('style') || '');
              important(e, {opacity: '1', transform: 'none', visibility: 'visible', transition: 'none', animation: 'none'});
            }
          }
        };
        """#
}
