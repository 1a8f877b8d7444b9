/// The part of `PageScript` that knows a wall by what it does: it lies over the text of the page, and the page is dimmed,
/// locked or put out of reach meanwhile, or it asks about cookies. No name of a product is in it.
enum WallScript {
    static let source = #"""
        const cookieWords = new RegExp('cookie|consent|gdpr|dsgvo|rgpd|lgpd|einwillig|galletas|eväste|\\bsüti|çerez|ciasteczk|slapuk|sīkdat|' +
          'küpsis|piškot|kolačić|informasjonskaps|vafrakök|fianán|куки|кукис|колачић|бисквитк|クッキー|쿠키|คุกกี้|कुकी|কুকি|குக்கீ|' +
          'ملفات تعريف الارتباط|كوكيز|کوکی|עוגיות|קוקיז|քուքի|ქუქი', 'i');
        const privacyWords = new RegExp('privacy|privac[iy]|datenschutz|privatsphäre|zustimm|confidentialité|données personnelles|' +
          'personvern|integritet|tietosuoj|prywatno|soukrom|súkrom|adatvéd|confidențial|gizlilik|riêng tư|隐私|隱私|プライバシー|' +
          '개인정보|конфиденциальн|персональн|приватн|απόρρητ|خصوصية|حریم خصوصی|פרטיות|गोपनीयता|ความเป็นส่วนตัว', 'i');
        const holds = (e, inner) => { for (let n = inner; n; n = above(n)) if (n === e) return true; return false };
        const alphaOf = color => {
          const m = /^rgba\(.*,\s*([\d.]+)\)$/.exec(color) || /\/\s*([\d.]+)\)$/.exec(color);
          return m ? +m[1] : color === 'transparent' ? 0 : 1;
        };
        const within = (e, selector) => {
          const found = [...e.querySelectorAll(selector)];
          for (const r of [e, ...e.querySelectorAll('*')].slice(0, 2000)) if (r.shadowRoot) found.push(...r.shadowRoot.querySelectorAll(selector));
          return found;
        };
        const textOf = e => {
          let t = e.innerText || '';
          for (const r of [e, ...e.querySelectorAll('*')].slice(0, 2000)) {
            if (r.shadowRoot) for (const c of r.shadowRoot.children) t += ' ' + (c.innerText || '');
            if (r.localName === 'iframe') try { t += ' ' + (r.contentDocument.body.innerText || '') } catch {}
          }
          return t;
        };
        const mediaSelector = 'img,picture,video,canvas,svg,iframe,object,embed';
        const isEmpty = e => !textOf(e).trim() && !e.matches(mediaSelector) && !within(e, mediaSelector).length;
        const hasFrame = e => e.localName === 'iframe' || within(e, 'iframe').some(f => {
          const r = f.getBoundingClientRect();
          return r.width * r.height > 0.1 * innerWidth * innerHeight;
        });
        // Something to press, or a frame of another site in which it may be.
        const hasAction = e => hasFrame(e) || within(e, 'button,[role=button],input[type=submit],input[type=button],[onclick]').length > 0 ||
          within(e, 'a,span,div').slice(0, 300).some(i => i.textContent.trim().length < 60 && i.textContent.trim() && getComputedStyle(i).cursor === 'pointer' &&
            (i.localName !== 'a' || getComputedStyle(i).display !== 'inline' || /btn|button/i.test(namesOf(i))));
        const isDim = c => c.backdropFilter && c.backdropFilter !== 'none' || /gradient\(.*rgba\(/.test(c.backgroundImage) || alphaOf(c.backgroundColor) > 0.1 && (alphaOf(c.backgroundColor) < 1 || +c.opacity < 1);
        const dims = e => {
          const c = getComputedStyle(e);
          if (isDim(c) || c.boxShadow.split(/,(?![^(]*\))/).some(s => (s.match(/-?[\d.]+px/g) || []).map(parseFloat)[3] > 400)) return true;
          if (['::before', '::after'].some(p => { const c = getComputedStyle(e, p); return c.content !== 'none' && /fixed|absolute/.test(c.position) && isDim(c) && parseFloat(c.width) >= 0.9 * innerWidth })) return true;
          try { return (isModal(e) || e.matches(':popover-open')) && isDim(getComputedStyle(e, '::backdrop')) } catch { return false }
        };
        const isNavigation = (e, isBig) => {
          if (!isBig && e.closest('nav,aside,header,[role=navigation],[role=banner],[role=complementary]')) return true;
          const links = within(e, 'a[href]');
          return links.length > 8 && links.reduce((n, a) => n + a.textContent.trim().length, 0) > 0.6 * textOf(e).trim().length;
        };
        const looksFixed = e => e.localName === 'dialog' || getComputedStyle(e).position === 'fixed' && e.textContent.length < document.body.textContent.length / 2;
        // The boxes around most of the page's text, from the outside.
        const contentBoxes = () => {
          const found = [];
          const lengthIn = e => /^(script|style|template|noscript)$/.test(e.localName) ? 0 : e.textContent.length;
          for (let e = document.body, i = 0; i < 6 && e; i++) {
            const own = [...e.children].filter(c => !c.hasAttribute('data-sbfs-cover') && !looksFixed(c)).slice(0, 2000);
            const tall = own.reduce((a, b) => b.scrollHeight > (a ? a.scrollHeight : innerHeight) ? b : a, null);
            // A short page: the box with most of the text.
            e = tall || own.find(c => lengthIn(c) > 200 && lengthIn(c) > lengthIn(e) / 2);
            if (e) found.push(e);
          }
          return found;
        };
        const isAsleep = e => e.inert || e.getAttribute('aria-hidden') === 'true';
        const awaken = e => {
          if (isAsleep(e)) { release(e, {}); e.removeAttribute('inert'); e.removeAttribute('aria-hidden') }
          const c = getComputedStyle(e);
          if (c.pointerEvents === 'none') release(e, {'pointer-events': 'auto'});
          if (c.userSelect === 'none') release(e, {'user-select': 'auto'});
        };
        // Whether the page goes on where it cannot be scrolled to.
        const isPageLocked = () => {
          const root = document.documentElement, body = document.body;
          return Math.max(root.scrollHeight, body.scrollHeight) > innerHeight * 1.1 &&
            (isCut(root) || isCut(body) && getComputedStyle(root).overflowY === 'visible' || getComputedStyle(body).position === 'fixed');
        };
        const isLocked = () => {
          if (isPageLocked() || getComputedStyle(document.body).position === 'fixed') return true;
          return contentBoxes().some(e => isCut(e) && e.scrollHeight > e.clientHeight * 1.2 && e.clientHeight > innerHeight / 2 && e.clientHeight <= innerHeight * 1.05);
        };
        // What the page is itself, although it lies over something: the only content, what the address names, a picture that
        // is looked at.
        const isOwn = (e, whole) => {
          const text = textOf(e), outside = whole - (e.innerText || '').length;
          if (outside < (within(e, 'input[type=password]').length ? 800 : 150)) return true;
          if (location.hash.length > 1 && (e.matches(':target') || e.querySelector(':target') || e.closest(':target'))) return true;
          if (cookieWords.test(text)) return false;
          const inputs = within(e, 'input:not([type=hidden]):not([type=search]),textarea,select');
          if (text.length < 600 && !inputs.length && !privacyWords.test(text) && within(e, 'img,video,canvas').some(m => {
            const r = m.getBoundingClientRect();
            return r.width * r.height > 0.25 * innerWidth * innerHeight;
          })) return true;
          const title = document.title.trim().toLowerCase(), says = h => {
            const t = h.textContent.trim().toLowerCase();
            return t.length > 3 && t.length >= 0.4 * title.length && title.includes(t);
          };
          return within(e, 'h1,h2,h3,[role=heading]').some(says) && ![...document.querySelectorAll('h1,h2,h3')].some(h => !holds(e, h) && says(h));
        };
        // How many pieces of the page's visible text lie under each layer.
        const findBuried = most => {
          // To list what lies at a point takes long on a long page, so one piece of text stands for those around it.
          const buried = new Map(), places = new Set();
          let looked = 0, found = 0;
          for (const root of rootsOf(document).slice(0, 200)) {
            const walk = document.createTreeWalker(root === document ? document.body : root, NodeFilter.SHOW_TEXT);
            for (let n; looked < 6000 && found < most && (n = walk.nextNode());) {
              looked++;
              const e = n.parentElement;
              if (!e || n.data.trim().length < 3 || /^(script|style|noscript|template)$/.test(e.localName)) continue;
              const r = e.getBoundingClientRect();
              if (r.width < 2 || r.height < 2 || r.bottom < 0 || r.right < 0 || r.top > innerHeight || r.left > innerWidth) continue;
              if (!e.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
              const left = Math.max(r.left, 0), width = Math.min(r.right, innerWidth) - left, over = new Set();
              const y = (Math.max(r.top, 0) + Math.min(r.bottom, innerHeight)) / 2;
              const place = `${(left + width / 2) * 8 / innerWidth | 0} ${y * 8 / innerHeight | 0}`;
              if (places.has(place)) continue;
              places.add(place);
              found++;
              // What cannot be reached by a pointer is in no list: then all of the list lies over it.
              for (const x of width > innerWidth / 3 ? [left + width / 2, left + width / 8, left + width * 7 / 8] : [left + width / 2]) for (const h of hitsAt(document, x, y)) {
                if (isPage(h) || h === e || e.contains(h) || h.contains(e) && !layerOf(h, x, y)) break;
                const layer = layerOf(h, x, y);
                if (layer && !holds(layer, e)) over.add(layer);
              }
              for (const layer of over) buried.set(layer, (buried.get(layer) || 0) + 1);
            }
          }
          return buried;
        };
        // Whether text of the page lies under a layer. `findBuried` looks at one piece of text for many, and may miss a small box.
        const liesOverText = layer => {
          const r = layer.getBoundingClientRect(), top = Math.max(r.top, 0), height = Math.min(r.bottom, innerHeight) - top;
          const x = (Math.max(r.left, 0) + Math.min(r.right, innerWidth)) / 2;
          // One point may lie between two paragraphs.
          return [0.1, 0.3, 0.5, 0.7, 0.9].some(part => {
            const y = top + part * height;
            let isUnder = false;
            for (const h of hitsAt(document, x, y)) {
              // A shade that the page draws itself lies before its text.
              if (isPage(h)) continue;
              if (holds(layer, h)) isUnder = true;
              else if (isUnder && !layerOf(h, x, y) && [...h.childNodes].some(n => n.nodeType === 3 && n.data.trim().length > 2)) return true;
            }
            return false;
          });
        };
        const askWords = /subscri|sign (in|up)|log ?in|register|abonn|anmeld|s'inscrire|suscr/i;
        const findWalls = (stacks, points, whole, side) => {
          const all = side * side, walls = new Set();
          const buried = findBuried(side < 5 ? 10 : 64);
          if (side === 5) for (const e of [...points.keys()].slice(0, 60)) if (!buried.has(e) && liesOverText(e)) buried.set(e, 1);
          if (!buried.size) return walls;
          const locked = isLocked();
          const asleep = contentBoxes().some(e => isAsleep(e) || /blur/.test(getComputedStyle(e).filter) || getComputedStyle(e).pointerEvents === 'none');
          const layers = [...points].filter(([e]) => buried.has(e) && !e.hasAttribute('data-sbfs-cover')).slice(0, 60);
          const shades = new Set(layers.filter(([e, count]) => count >= 0.8 * all && isEmpty(e) && (dims(e) || locked)).map(([e]) => e));
          const pageShade = [document.documentElement, document.body].some(dims);
          const isBefore = e => stacks.some(s => { const i = s.indexOf(e); return i >= 0 && s.slice(i + 1).some(l => shades.has(l)) });
          for (const [e, count] of layers) {
            if (shades.has(e)) continue;
            const text = textOf(e).slice(0, 20000), isBig = count >= 0.6 * all;
            const asks = cookieWords.test(text), dialog = isDialog(e);
            const shaded = pageShade || dims(e) || isBefore(e);
            const pressed = locked || asleep || shaded;
            // Most of the text is here: only what is a wall beyond doubt is one then.
            if (text.length > whole / 2 && [pressed, dialog, asks].filter(Boolean).length < 2) continue;
            if (e.querySelector('main,[role=main],textarea') || !asks && within(e, 'article').some(a => lengthOf(a) > 500)) continue;
            if (!hasAction(e) && !(locked && shaded && text.length < 500 && askWords.test(text)) || isNavigation(e, isBig) && !dialog || isOwn(e, whole)) continue;
            // A bar at the edge lets the page be read.
            const isBar = e.getBoundingClientRect().height < 0.25 * innerHeight;
            if (isBig ? pressed || asks || dialog || privacyWords.test(text) : isLoose(e) ? isBefore(e)
              : count >= side ? asks && !isBar || dialog || asleep || shaded : dialog && pressed || isBefore(e) || pageShade || dims(e) || asks && (asleep || locked && count > 1))
              walls.add(e);
          }
          // A shade belongs to the wall before it. Alone it is what is left of one, if the page is locked too.
          for (const shade of shades) {
            const boxes = new Set(stacks.flatMap(s => s.slice(0, Math.max(0, s.indexOf(shade)))));
            // A short dialog may lie over no text.
            for (const b of boxes) if (isDialog(b) && hasAction(b) && !isNavigation(b) && !isOwn(b, whole)) walls.add(b);
            const own = [...boxes].some(b => !walls.has(b) && !isNavigation(b) && isOwn(b, whole));
            if ([...boxes].some(b => walls.has(b)) || !own && locked) walls.add(shade);
          }
          return walls;
        };
        """#
}
