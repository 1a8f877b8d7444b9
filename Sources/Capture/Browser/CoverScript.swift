/// The part of `PageScript` that hides what covers the page: cookie walls, paywalls and other dialogs, with the scroll
/// lock that comes with them.
///
/// In a saved page nothing can dismiss them. `sbfs.uncover` runs before the page is scrolled, and again at the end.
enum CoverScript {
    static let source = #"""
        // Something covers the page if it is fixed before it, takes much of the window, says or is named that it is a
        // dialog, and is not itself the page: most of the text is elsewhere. `WallScript` has what is so named nowhere.
        const dialogs = 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]';
        const dialogNames =
          /cookie|consent|gdpr|privacy|paywall|pay-wall|regwall|overlay|modal|popup|pop-up|newsletter|subscri|interstitial|backdrop|lightbox|adblock|dialog/i;
        const consentNames = /cookie|consent|gdpr|paywall|regwall/i;
        const above = e => e.assignedSlot || e.parentElement || (e.parentNode instanceof ShadowRoot ? e.parentNode.host : null);
        const isModal = e => { try { return e.localName === 'dialog' && e.matches(':modal') } catch { return false } };
        const isPage = e => e === document.body || e === document.documentElement;
        const isLoose = e => looseOnes.has(e);
        const isAsWindow = e => {
          const r = e.getBoundingClientRect();
          const width = Math.min(r.right, innerWidth) - Math.max(r.left, 0), height = Math.min(r.bottom, innerHeight) - Math.max(r.top, 0);
          return width >= 0.9 * innerWidth && height >= 0.9 * innerHeight && r.height < 2 * innerHeight;
        };
        // The nearest ancestor that stays in its place when the page is scrolled, else the nearest that is out of the flow
        // of the whole page, or as large as the window; what lies on the way to it has the same.
        let fixedOnes = new Map(), looseOnes = new Set();
        // Nobody can ask what is in a closed root. If that lies before the whole window, and the text of the page elsewhere, it covers that.
        const closedHosts = new Set();
        const layerOf = (e, x, y) => {
          const first = e, way = [];
          let found = null, loose = null;
          for (; e && !isPage(e); e = above(e)) {
            if (fixedOnes.has(e)) { found = fixedOnes.get(e); break }
            way.push(e);
            const position = isModal(e) ? 'fixed' : getComputedStyle(e).position;
            if (position === 'fixed') { found = e; break }
            if (!loose && (/absolute|sticky/.test(position) && isAsWindow(e) || position === 'absolute' && isPage(e.offsetParent || document.body))) loose = e;
          }
          if (loose && (!found || isLoose(found))) {
            looseOnes.add(loose);
            // What is above the loose one has none.
            const last = way.indexOf(loose);
            way.forEach((e, i) => fixedOnes.set(e, i <= last ? loose : found));
            return loose;
          }
          for (const e of way) fixedOnes.set(e, found);
          if (found) return found;
          // A closed root: what was hit is in it, and fixed there if its host is elsewhere.
          const r = first.getBoundingClientRect();
          const isOutside = x < r.left || x > r.right || y < r.top || y > r.bottom;
          if (!isOutside || first.shadowRoot) return null;
          const isHost = canHaveRoot.test(first.localName) && !first.firstElementChild && !lengthOf(first);
          if (isHost) closedHosts.add(first);
          return isHost || first.localName.includes('-') ? first : null;
        };
        // A list of hits is as long as boxes lie there, and each shadow root has one of its own.
        let listed = 0;
        function* hitsAt(root, x, y) {
          const list = root.elementsFromPoint(x, y);
          if (root !== document) listed += list.length;
          for (const e of list) {
            // A root lists what is around it too.
            if (root !== document && e.getRootNode() !== root) continue;
            if (e.shadowRoot && listed < 100000) yield* hitsAt(e.shadowRoot, x, y);
            yield e;
          }
        }
        const namesOf = e => `${e.id} ${typeof e.className === 'string' ? e.className : ''} ${e.localName.includes('-') ? e.localName : ''} ${e.name || ''} ${e.title || ''}`;
        const isNamed = (e, names) => {
          for (let n = e, i = 0; n && !isPage(n) && i < 4; n = above(n), i++) if (names.test(namesOf(n))) return true;
          return [...(e.shadowRoot || e).querySelectorAll(':scope > *, :scope > * > *')].slice(0, 20).some(n => names.test(namesOf(n)));
        };
        const isDialog = e => {
          if (e.matches(dialogs) || e.closest(dialogs)) return true;
          return !!(e.shadowRoot || e).querySelector(dialogs);
        };
        const canHaveRoot = /-|^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
        const lengthOf = e => (e.innerText || '').length;
        const namedDialogs = () => all(rootsOf(document), dialogs).slice(0, 50);
        // What lies before the page at a point, from the front.
        const stackAt = (x, y) => {
          const stack = new Set();
          for (const e of hitsAt(document, x, y)) {
            const fixed = isPage(e) ? null : layerOf(e, x, y);
            if (!fixed) break;
            stack.add(fixed);
          }
          return [...stack];
        };
        // Whether something of the size of the window lies before the page.
        let isUnder = false;
        const findCovers = () => {
          fixedOnes = new Map(); looseOnes = new Set(); listed = 0;
          // Few points where thousands of boxes lie on each other.
          const side = document.elementsFromPoint(innerWidth / 2, innerHeight / 2).length > 2000 ? 3 : 5, all = side * side;
          const stacks = [], points = new Map();
          for (let i = 0; i < all; i++) {
            const stack = stackAt(innerWidth * (i % side + 0.5) / side, innerHeight * ((i / side | 0) + 0.5) / side);
            for (const e of stack) points.set(e, (points.get(e) || 0) + 1);
            stacks.push(stack);
          }
          isUnder = [...points.values()].some(count => count >= 0.6 * all);
          // A short dialog may lie between the points. It covers the page if a shade or a lock comes with it.
          const least = isPageLocked() || [document.documentElement, document.body].some(dims) ? 1 : 2;
          for (const e of namedDialogs()) {
            const r = e.getBoundingClientRect();
            if (!r.width || !r.height) continue;
            const stack = stackAt(r.left + r.width / 2, r.top + r.height / 2);
            if (stack.length < least) continue;
            for (const e of stack) if (!points.has(e)) points.set(e, 1);
            stacks.push(stack);
          }
          if (!points.size) return [];
          const whole = lengthOf(document.body), half = whole / 2, covers = new Set();
          // Rendered text takes long to find, and is hardly longer than the text itself. What is around much has as much.
          const large = [];
          const isPart = e => {
            if (large.some(l => e.contains(l))) return false;
            const is = (e.textContent || '').length <= half || lengthOf(e) <= half;
            if (!is) large.push(e);
            return is;
          };
          for (const [e, count] of points) {
            if (count < side || isLoose(e) || !isPart(e) || e.querySelector('main')) continue;
            if (count >= 0.6 * all ? isDialog(e) || isNamed(e, dialogNames) || closedHosts.has(e) && whole > 500 : isDialog(e) && !e.closest('nav,aside,header') || isNamed(e, consentNames))
              covers.add(e);
          }
          for (const e of [...covers].slice(0, 50)) if (isOwn(e, whole)) covers.delete(e);
          for (const e of findWalls(stacks, points, whole, side)) covers.add(e);
          // What lies before a cover of the whole page belongs to it, but for bars at an edge.
          for (const stack of stacks) {
            const last = stack.findLastIndex(e => covers.has(e) && points.get(e) >= 0.6 * all);
            for (const e of stack.slice(0, Math.max(0, last)))
              if (!covers.has(e) && isPart(e) && !isOwn(e, whole) && (isDialog(e) || isNamed(e, dialogNames) || stack === stacks[all >> 1])) covers.add(e);
          }
          return [...covers];
        };
        const release = (e, values) => {
          if (!e.hasAttribute('data-sbfs-locked')) e.setAttribute('data-sbfs-locked', e.getAttribute('style') || '');
          for (const k in values) e.style.setProperty(k, values[k], 'important');
        };
        const isCut = e => /hidden|clip/.test(getComputedStyle(e).overflowY);
        const letScroll = () => {
          for (const e of [document.documentElement, document.body]) {
            if (isCut(e)) release(e, {overflow: 'visible'});
            if (getComputedStyle(e).position === 'fixed') release(e, {position: 'static', width: 'auto'});
          }
        };
        // No style attribute reaches a pseudo-element.
        const bareStyle = '[data-sbfs-bare~=before]::before,[data-sbfs-bare~=after]::after{display:none!important}';
        const bare = (e, isShade) => {
          const names = ['before', 'after'].filter(name => {
            const c = getComputedStyle(e, '::' + name);
            return c.content !== 'none' && c.display !== 'none' && isShade(c);
          });
          if (!names.length) return;
          e.setAttribute('data-sbfs-bare', `${e.getAttribute('data-sbfs-bare') || ''} ${names.join(' ')}`.trim());
          if (S.bare) return;
          S.bare = html('style');
          S.bare.textContent = bareStyle;
          (document.head || document.documentElement).append(S.bare);
        };
        const isShadeOfPage = c => /fixed|absolute/.test(c.position) && isDim(c) && !(c.zIndex < 0) &&
          parseFloat(c.width) >= 0.9 * innerWidth && parseFloat(c.height) >= 0.9 * innerHeight;
        // A text that is cut off fades out at its end.
        const isFade = c => c.position !== 'static' && /gradient\(.*rgba\(/.test(c.backgroundImage);
        const unfade = box => {
          const end = box.getBoundingClientRect().bottom;
          for (const e of new Set([box, ...box.children, ...box.parentElement.children].slice(0, 400))) {
            bare(e, isFade);
            if (e !== box && Math.abs(e.getBoundingClientRect().bottom - end) < 10 && isFade(getComputedStyle(e)) && isEmpty(e)) release(e, {display: 'none'});
          }
          if (/gradient\(/.test(getComputedStyle(box).maskImage)) release(box, {'mask-image': 'none'});
        };
        const unlock = () => {
          letScroll();
          for (const e of [document.documentElement, document.body]) {
            if (getComputedStyle(e).filter !== 'none') release(e, {filter: 'none'});
            awaken(e);
            bare(e, isShadeOfPage);
          }
          // The lock may be on the boxes around the text instead.
          for (const e of contentBoxes()) {
            if (isCut(e) && e.scrollHeight > e.clientHeight * 1.2) {
              unfade(e);
              release(e, {overflow: 'visible', height: 'auto', 'max-height': 'none'});
              if (getComputedStyle(e).position === 'fixed') release(e, {position: 'static', width: 'auto'});
            }
            // What lies beside the text was put out of reach with it.
            for (const i of [...e.parentElement.children].slice(0, 200)) {
              if (i.hasAttribute('data-sbfs-cover') || i !== e && !isAsleep(i) && !/blur/.test(getComputedStyle(i).filter)) continue;
              if (/blur/.test(getComputedStyle(i).filter)) release(i, {filter: 'none'});
              if (i === e || i.inert || /blur/.test(i.getAttribute('data-sbfs-locked') || '')) awaken(i);
            }
          }
        };
        // Returns how many covers the page has.
        S.uncover = () => {
          if (document.body && document.contentType === 'text/html') {
            // The page's own attributes of these names say nothing.
            if (S.covers === undefined)
              for (const a of ['data-sbfs-cover', 'data-sbfs-locked', 'data-sbfs-bare']) for (const e of all(rootsOf(document), `[${a}]`)) e.removeAttribute(a);
            for (let round = 0; round < 3; round++) {
              const covers = findCovers();
              for (const e of covers) {
                e.setAttribute('data-sbfs-cover', e.getAttribute('style') || '');
                e.style.setProperty('display', 'none', 'important');
              }
              if (!covers.length) break;
            }
            if (document.querySelector('[data-sbfs-cover]') || S.covers) unlock();
            else if (!isUnder && isPageLocked() && !findBox()) letScroll();
            S.covers = all(rootsOf(document), '[data-sbfs-cover]').length;
            keepAnimated();
          }
          return S.covers || 0;
        };
        """#
}
