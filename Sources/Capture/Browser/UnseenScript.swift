/// The part of `PageScript` that marks text which the page did not show, so that it is not in the article.
///
/// What a person can bring up stays: `details`, panels of tabs, what a button controls, `hidden=until-found`. So do
/// pictures and examples, and marks of authors and dates, which often are for programs only.
enum UnseenScript {
    static let source = #"""
        const kept = 'img,picture,video,audio,canvas,iframe,pre,table,[itemprop],[rel~=author],time,address';
        const isOffered = e => e.closest('details,[hidden=until-found],[role=tabpanel],[role=tooltip]') ||
          e.id && S.controlled.has(e.id) || e.querySelector('[role=tabpanel],[hidden=until-found]');
        let peeked = 0;
        const holdsVisible = e => {
          const walk = document.createTreeWalker(e, NodeFilter.SHOW_ELEMENT);
          for (let n, i = 0; i < 200 && peeked < 50000 && (n = walk.nextNode()); i++, peeked++)
            if (getComputedStyle(n).visibility === 'visible') return true;
          return peeked >= 50000;
        };
        const unseen = roots => {
          S.controlled = new Set();
          for (const e of all(roots, '[aria-controls],[data-target],[data-bs-target],[popovertarget],[aria-describedby],a[href^="#"],label[for]'))
            for (const a of ['aria-controls', 'data-target', 'data-bs-target', 'popovertarget', 'aria-describedby', 'href', 'for'])
              for (const id of (e.getAttribute(a) || '').split(/\s+/)) S.controlled.add(id.replace(/^#/, ''));
          const found = [];
          let hidden = 0, looked = 0;
          for (const root of roots) {
            const start = root.nodeType === 9 ? root.body : root;
            if (!start) continue;
            const walk = document.createTreeWalker(start, NodeFilter.SHOW_ELEMENT, e => {
              if (++looked > 200000 || e.namespaceURI !== 'http://www.w3.org/1999/xhtml' || /^(script|style|template|noscript|link|meta|option|datalist|rp|rt|br)$/.test(e.localName)) return NodeFilter.FILTER_REJECT;
              const c = getComputedStyle(e);
              const isNone = c.display === 'none', isBlank = /hidden|collapse/.test(c.visibility) && !holdsVisible(e);
              if (!isNone && !isBlank) return NodeFilter.FILTER_ACCEPT;
              const length = e.textContent.trim().length;
              if (length && (e.hasAttribute('data-sbfs-cover') || !isOffered(e) && !e.matches(kept) && !e.querySelector(kept))) { found.push(e); hidden += length }
              return NodeFilter.FILTER_REJECT;
            });
            while (walk.nextNode());
          }
          // A page that shows next to nothing waits for something that did not come.
          const shown = document.body && roots[0] === document ? (document.body.innerText || '').trim().length : 1e9;
          if (shown < 200 && hidden > shown) return;
          for (const e of found) e.setAttribute('data-sbfs-unseen', '');
        };
        """#
}
