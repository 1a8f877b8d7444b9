/// The part of `PageScript` that notes how drawings look, for reader.html, where each stands alone. page.html has none of it.
enum DrawingScript {
    static let source = #"""
        const inherited = new Set(['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'visibility',
          'font-family', 'font-size', 'font-weight', 'text-anchor']), paints = new Set(['fill', 'stroke', 'stop-color']);
        const drawnAs = [...inherited, 'opacity', 'display', 'dominant-baseline', 'stop-color', 'stop-opacity'];
        let compared = 0;
        // Notes what the page's sheets make of a drawing: how it differs from a copy that they do not reach.
        const noteStyle = (drawing, root) => {
          const own = [drawing, ...drawing.querySelectorAll('*')];
          // A copy would load what it refers to once more.
          const loading = 'image,feImage,use,script,iframe,img,video,audio,object,embed,link,[style*="url("]';
          if (compared + own.length > 10000 || drawing.querySelector(loading)) return;
          compared += own.length;
          const copy = root.appendChild(drawing.cloneNode(true)), copies = [copy, ...copy.querySelectorAll('*')];
          // A copy inherits variables.
          const hasVariables = /var\(/.test(drawing.outerHTML), looks = new Map(), found = new Map();
          own.forEach((e, i) => {
            if (!(e instanceof SVGElement)) return;
            const here = getComputedStyle(e), there = getComputedStyle(copies[i]), around = looks.get(e.parentElement), noted = [];
            const look = Object.fromEntries(drawnAs.map(p => [p, {is: here.getPropertyValue(p), alone: there.getPropertyValue(p)}]));
            for (const p of drawnAs) {
              // What is inherited alone is inherited from an element that has its note by then.
              const isInherited = around && inherited.has(p) && around[p].alone === look[p].alone;
              if (look[p].is !== (isInherited ? around[p].is : look[p].alone) || hasVariables && paints.has(p)) noted.push(`${p}:${look[p].is}`);
            }
            looks.set(e, look);
            if (noted.length) found.set(e, noted.join(';'));
          });
          copy.remove();
          for (const [e, style] of found) e.setAttribute('data-sbfs-style', style);
        };
        const measure = roots => {
          const host = html('div');
          host.style.cssText = 'all:initial;position:fixed;left:-9999px;top:0';
          document.documentElement.append(host);
          const root = host.attachShadow({mode: 'open'});
          try {
            for (const e of all(roots, 'svg,canvas')) {
              if (e.ownerSVGElement) continue;
              // The size tells a picture from an icon.
              const r = e.getBoundingClientRect();
              e.setAttribute('data-sbfs-size', `${Math.round(r.width)} ${Math.round(r.height)}`);
              if (e.localName === 'svg' && Math.min(r.width, r.height) > 48) noteStyle(e, root);
            }
          } finally { host.remove() }
        };
        """#
}
