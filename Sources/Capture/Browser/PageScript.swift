/// The script that runs in the page, in an isolated world: it sees the page's elements, but not the page's scripts.
///
/// `sbfs.start` runs once for a document. `sbfs.gather` runs while the page's scripts still run, and waits for blobs
/// and frames. `sbfs.fix` runs at the end, when all scripts are stopped, and adds the state that markup does not
/// show.
enum PageScript {
    static let source = #"""
        (() => {
        if (globalThis.sbfs) return true;
        const S = globalThis.sbfs = {changed: 0, sheets: [], prefix: '', left: 0, each: 0};
        const notes = new Set(), urls = new Map(), blobs = new Map(), pictures = new Map(), shared = new Map();
        try {
          new MutationObserver(() => { S.changed = performance.now() })
            .observe(document, {childList: true, subtree: true, characterData: true});
        } catch {}
        const frame = () => new Promise(r => { requestAnimationFrame(() => r()); setTimeout(r, 100) });
        const rootsOf = start => {
          const found = [start];
          for (let i = 0; i < found.length && i < 50000; i++)
            for (const e of found[i].querySelectorAll('*')) if (e.shadowRoot) found.push(e.shadowRoot);
          return found;
        };
        const all = (roots, selector) => roots.flatMap(r => [...r.querySelectorAll(selector)]);

        S.state = () => {
          const d = document, s = d.scrollingElement || d.documentElement;
          return {age: Math.round(performance.now() - S.changed), height: s ? s.scrollHeight : 0, view: innerHeight,
            scripts: d.scripts.length + d.querySelectorAll('iframe').length, type: d.contentType, ready: d.readyState};
        };
        // When the page has had three turns and has nothing left to do, after a second at the latest. On a busy machine, a
        // page without changes may only be waiting for its turn.
        S.rested = async () => {
          for (let turn = 0; turn < 3; turn++) {
            await new Promise(r => setTimeout(r, 25));
            await new Promise(r => requestIdleCallback(r, {timeout: 300}));
          }
          return S.state();
        };
        S.eager = () => {
          const lazy = all(rootsOf(document), 'img[loading=lazy],iframe[loading=lazy]');
          for (const e of lazy) e.setAttribute('loading', 'eager');
          return lazy.length;
        };

        // Scrolling: the document, or the one large box that scrolls instead of it.
        let scroller;
        const findBox = () => {
          let n = 0;
          for (const e of all(rootsOf(document), '*')) {
            if (++n > 20000) break;
            if (e.clientHeight > innerHeight / 2 && e.scrollHeight > e.clientHeight * 1.2 &&
                /auto|scroll/.test(getComputedStyle(e).overflowY)) return e;
          }
        };
        const findScroller = () => {
          const d = document.scrollingElement || document.documentElement;
          return d.scrollHeight > innerHeight + 1 ? d : findBox() || d;
        };
        const extent = () => ({height: scroller.scrollHeight, view: Math.min(scroller.clientHeight || innerHeight, innerHeight)});
        S.scroll = async y => {
          scroller ??= findScroller();
          scroller.scrollTo({top: y, behavior: 'instant'});
          await frame(); await frame();
          return extent();
        };
        // Goes on from y by a few windows, each shown in a frame, and in two while the page reacts.
        const task = () => new Promise(r => { const c = new MessageChannel(); c.port1.onmessage = () => r(); c.port2.postMessage(0) });
        S.scrollOn = async (y, furthest, most) => {
          let reactions = 0, steps = 0;
          const observer = new MutationObserver(l => { reactions += l.length; noteToggled(l) });
          observer.observe(document, {childList: true, subtree: true, characterData: true, attributes: true});
          for (let e = extent(); steps < most && y + e.view < Math.min(e.height, furthest); e = extent()) {
            const before = reactions;
            y += Math.max(e.view, 100); steps++;
            scroller.scrollTo({top: y, behavior: 'instant'});
            // The observers of what is visible look at the end of the frame.
            await frame(); await task();
            if (reactions > before) await frame();
          }
          observer.disconnect();
          return {...extent(), y, steps};
        };

        """# + "\n" + CoverScript.source + "\n" + WallScript.source + "\n" + LoadingScript.source
        + "\n" + UnseenScript.source + "\n" + EncodingScript.source + "\n" + RevealScript.source
        + "\n" + HeightScript.source + #"""

            // Large objects that need waiting.
            const text = blob => new Promise((done, failed) => {
              const r = new FileReader(); r.onload = () => done(r.result); r.onerror = failed; r.readAsDataURL(blob);
            });
            const keep = url => {
              if (!url || url.length > S.each * 1.4 || url.length > S.left) return null;
              S.left -= url.length;
              return url;
            };
            const readBlob = async url => {
              if (blobs.has(url)) return;
              blobs.set(url, null);
              try {
                const b = await (await fetch(url)).blob();
                if (b.size <= S.each) blobs.set(url, keep(await text(b)));
              } catch {}
            };
            const draw = (source, width, height, type) => {
              if (!(width > 0 && height > 0 && width * height <= 32e6)) return null;
              const c = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas');
              c.width = width; c.height = height;
              try { c.getContext('2d').drawImage(source, 0, 0, width, height); return keep(c.toDataURL(type, 0.9)) }
              catch { return null }
            };
            const blobPattern = /blob:[^"')\s\\]+/g;
            const blobAttributes = ['src', 'href', 'poster', 'data', 'xlink:href'];
            const blobSelector = blobAttributes.map(a => `[${a.replace(':', '\\:')}^="blob:"]`).join() + ',image';
            const gathered = new Set();
            S.gather = async (start, left, each) => {
              if (gathered.has(start)) return true;
              gathered.add(start);
              S.left = left; S.each = each;
              const roots = rootsOf(start), wanted = new Set();
              for (const e of all(roots, blobSelector)) {
                if (e.localName === 'a' || e.localName === 'iframe' || e.localName === 'script') continue;
                for (const a of blobAttributes) {
                  const v = e.getAttribute(a);
                  if (v && v.startsWith('blob:')) wanted.add(v);
                }
              }
              for (const e of all(roots, '[style*="blob:"]')) for (const u of e.getAttribute('style').match(blobPattern) || []) wanted.add(u);
              for (const e of all(roots, 'style')) {
                const t = sheetText(e) ?? e.textContent;
                if (t.includes('blob:')) for (const u of t.match(blobPattern) || []) wanted.add(u);
              }
              await Promise.race([Promise.all([...wanted].slice(0, 2000).map(readBlob)), new Promise(r => setTimeout(r, 3000))]);
              for (const e of all(roots, 'img[src^="blob:"]'))
                if (!blobs.get(e.getAttribute('src')) && e.complete && e.naturalWidth)
                  blobs.set(e.getAttribute('src'), draw(e, e.naturalWidth, e.naturalHeight, 'image/png'));
              const canvases = all(roots, 'canvas');
              for (const c of canvases) {
                if (!(c.width > 0 && c.height > 0) || pictures.has(c)) continue;
                if (c.width * c.height > 32e6) { notes.add('unreadableCanvas'); continue }
                try {
                  const u = keep(c.toDataURL('image/png'));
                  if (u && u.length > 22) pictures.set(c, u); else notes.add('unreadableCanvas');
                } catch { notes.add('unreadableCanvas') }
              }
              for (const v of all(roots, 'video:not([poster])'))
                if (v.readyState >= 2 && v.videoWidth) {
                  const u = draw(v, v.videoWidth, v.videoHeight, 'image/jpeg');
                  if (u) pictures.set(v, u);
                }
              return true;
            };

            // Style sheets.
            const rulesOf = sheet => { try { return [...sheet.cssRules] } catch { return null } };
            const closing = t => t.replace(/<\/(?=style)/gi, '<\\/');
            const written = rules => closing(
              [...rules.filter(r => r instanceof CSSImportRule), ...rules.filter(r => !(r instanceof CSSImportRule))]
                .map(r => r.cssText).join('\n'));
            // The text of a style element's rules if its own text differs; null if it does not.
            const sheetText = e => {
              const rules = e.sheet && rulesOf(e.sheet);
              if (!rules) return null;
              const own = e.textContent, live = rules.filter(r => !(r instanceof CSSImportRule));
              if (!own.trim()) return live.length || rules.length ? written(rules) : null;
              try {
                const parsed = new CSSStyleSheet();
                parsed.replaceSync(own);
                const p = parsed.cssRules;
                if (p.length === live.length && live.every((r, i) => r.cssText === p[i].cssText)) return null;
              } catch { return null }
              return written(rules);
            };
            const withoutBlobs = t => t.includes('blob:') ? t.replace(blobPattern, u => blobs.get(u) || 'about:invalid') : t;
            const html = name => document.createElementNS('http://www.w3.org/1999/xhtml', name);
            let sheetBytes = 0;
            const uses = new Map();
            const adopt = roots => {
              for (const r of roots) for (const s of r.adoptedStyleSheets || []) uses.set(s, (uses.get(s) || 0) + 1);
              for (const r of roots) for (const s of r.adoptedStyleSheets || []) {
                if (s.disabled) continue;
                if (!urls.has(s)) {
                  const t = withoutBlobs(written(rulesOf(s) || []));
                  if ((sheetBytes += t.length) > 16e6) { notes.add('sheetsCut'); continue }
                  urls.set(s, t);
                }
                const t = urls.get(s);
                let e;
                if (t.length > 1000 && (uses.get(s) > 1 || r instanceof ShadowRoot)) {
                  // One text for all of them. The written page gets another attribute name, so that nothing is requested.
                  if (!shared.has(s)) { shared.set(s, S.prefix + S.sheets.length + '.css'); S.sheets.push(t) }
                  e = html('link');
                  e.setAttribute('rel', 'stylesheet');
                  e.setAttribute('data-sbfs-href', shared.get(s));
                } else {
                  if ((sheetBytes += t.length) > 16e6) { notes.add('sheetsCut'); continue }
                  e = html('style');
                  e.textContent = t;
                }
                const media = s.media && s.media.mediaText;
                if (media) e.setAttribute('media', media);
                const inBody = r === document && document.body && document.body.querySelector('style,link[rel~=stylesheet]');
                (r !== document ? r : inBody ? document.body : document.head || document.documentElement).append(e);
              }
            };
            const styles = roots => {
              for (const e of all(roots, 'style')) {
                let t = sheetText(e);
                if (t === null && e.textContent.includes('blob:')) t = e.textContent;
                if (t !== null) { t = withoutBlobs(t); if (t !== e.textContent) e.textContent = t }
              }
              for (const e of all(roots, 'style,link[rel~=stylesheet]'))
                if (e.sheet && e.sheet.disabled && !/\balternate\b/i.test(e.rel || '')) e.setAttribute('media', 'not all');
            };

            // Elements.
            const important = (e, values) => { for (const k in values) e.style.setProperty(k, values[k], 'important') };
            const layers = roots => {
              for (const e of all(roots, 'dialog[open]')) {
                if (!e.matches(':modal')) continue;
                const c = getComputedStyle(e), shade = getComputedStyle(e, '::backdrop').backgroundColor;
                important(e, {position: 'fixed', inset: '0', margin: c.margin === '0px' ? 'auto' : c.margin,
                  'max-width': c.maxWidth, 'max-height': c.maxHeight, width: c.width, height: c.height, overflow: c.overflow,
                  'z-index': '2147483647', 'box-shadow': `0 0 0 200vmax ${shade || 'transparent'}`});
              }
              for (const e of all(roots, '[popover]')) {
                let open = false;
                try { open = e.matches(':popover-open') } catch {}
                if (!open) continue;
                const c = getComputedStyle(e), v = {};
                for (const k of ['display', 'position', 'top', 'left', 'right', 'bottom', 'margin', 'width', 'height', 'padding',
                  'border', 'background-color', 'color', 'overflow']) v[k] = c.getPropertyValue(k);
                e.removeAttribute('popover');
                important(e, {...v, 'z-index': '2147483647'});
              }
            };
            const drawings = roots => {
              for (const e of all(roots, 'canvas')) {
                const u = pictures.get(e);
                if (!u) continue;
                const c = getComputedStyle(e), more = c.backgroundImage !== 'none';
                const fit = {contain: 'contain', cover: 'cover', none: 'auto'}[c.objectFit] || '100% 100%';
                const layer = (first, rest) => more ? `${first}, ${rest}` : first;
                important(e, {'background-image': layer(`url("${u}")`, c.backgroundImage),
                  'background-size': layer(fit, c.backgroundSize), 'background-repeat': layer('no-repeat', c.backgroundRepeat),
                  'background-position': layer(fit === '100% 100%' ? '0 0' : '50% 50%', c.backgroundPosition),
                  'background-origin': layer('content-box', c.backgroundOrigin)});
              }
              for (const e of all(roots, 'video:not([poster])')) if (pictures.has(e)) e.setAttribute('poster', pictures.get(e));
            };
            const references = roots => {
              for (const e of all(roots, blobSelector)) for (const a of blobAttributes) {
                const v = e.getAttribute(a);
                if (!v || !v.startsWith('blob:') || e.localName === 'a' || e.localName === 'iframe') continue;
                if (blobs.get(v)) { e.setAttribute(a, blobs.get(v)); continue }
                e.removeAttribute(a);
                if (e.localName === 'img') notes.add('unreadableBlob');
              }
              for (const e of all(roots, '[style*="blob:"]')) e.setAttribute('style', withoutBlobs(e.getAttribute('style')));
            };

            """# + "\n" + StateScript.source + #"""

            """# + "\n" + DrawingScript.source + #"""

            S.fix = (start, prefix, asked) => {
              S.prefix = prefix; S.asked ??= asked;
              const roots = rootsOf(start), before = S.sheets.length;
              for (const a of ['data-sbfs-frame', 'data-sbfs-unseen', 'data-sbfs-revealed', 'data-sbfs-href', 'data-sbfs-state', 'data-sbfs-indeterminate', 'data-sbfs-size', 'data-sbfs-style']) for (const e of all(roots, `[${a}]`)) e.removeAttribute(a);
              for (const step of [reveal, positions, follow, definitions, slots, forms, lineBreaks, layers, drawings, references, styles, adopt, unseen, measure])
                try { step(roots) } catch (e) { notes.add('failed: ' + step.name + ' ' + e) }
              return {title: document.title, url: document.URL, base: document.baseURI, type: document.contentType,
                notes: [...notes], sheets: S.sheets.slice(before), first: before};
            };
            // The root of a node in a closed root.
            S.closed = node => {
              const root = node.getRootNode();
              return root instanceof ShadowRoot && root.mode === 'closed' ? root : null;
            };
            const done = new Set();
            S.fixClosed = (node, prefix) => {
              const root = S.closed(node);
              if (!root || done.has(root)) return null;
              done.add(root);
              return S.fix(root, prefix);
            };
            // An XML document is written by the rules of XML; as a child of an HTML document, by those of HTML.
            S.document = () => {
              const root = document.documentElement;
              if (document.contentType === 'text/html' || !root || root.namespaceURI !== 'http://www.w3.org/1999/xhtml')
                return document;
              const other = document.implementation.createHTMLDocument('');
              other.replaceChild(other.adoptNode(root), other.documentElement);
              return other;
            };
            return true;
            })()
            """#
}
