/// The part of `PageScript` that writes state which markup does not show: fields and boxes of forms, the states of custom
/// elements, what a script put into slots, the first line break of preformatted text, and how far boxes are scrolled.
enum StateScript {
    static let source = #"""
        // No attribute makes a check box undecided. Sheets name this one instead, and the box is drawn as browsers draw it.
        const undecided = e => {
          e.setAttribute('data-sbfs-indeterminate', '');
          const c = getComputedStyle(e);
          if (c.appearance === 'none' || e.type !== 'checkbox') return;
          const isDark = /dark/.test(c.colorScheme) && matchMedia('(prefers-color-scheme: dark)').matches;
          const accent = c.accentColor !== 'auto' ? c.accentColor : isDark ? '#99c8ff' : '#0075ff';
          // A drawn box stands on the line with its margin.
          if (c.verticalAlign === 'baseline') important(e, {'vertical-align': `-${c.marginBottom}`});
          important(e, {appearance: 'none', width: c.width, height: c.height, 'box-sizing': 'border-box', 'border-style': 'none',
            'border-radius': '2px', background: `linear-gradient(#fff, #fff) center / 60% 20% no-repeat ${e.disabled ? '#cbcbcb' : accent}`});
        };
        const forms = roots => {
          for (const e of all(roots, 'input')) {
            if (e.type === 'password' || e.type === 'file' || e.type === 'hidden') continue;
            if (e.type === 'checkbox' || e.type === 'radio') {
              if (e.checked !== e.defaultChecked) e.toggleAttribute('checked', e.checked);
              if (e.indeterminate) undecided(e);
            } else if (e.value !== (e.getAttribute('value') || '')) e.setAttribute('value', e.value);
          }
          for (const e of all(roots, 'option')) if (e.selected !== e.defaultSelected) e.toggleAttribute('selected', e.selected);
          for (const e of all(roots, 'textarea')) if (e.value !== e.defaultValue) e.textContent = e.value;
        };
        // Whether custom elements are here, and a sheet that scripts may not read.
        S.hasHiddenSheets = () => {
          const roots = rootsOf(document);
          const isCustom = r => [...r.querySelectorAll(':defined')].some(e => e.localName.includes('-'));
          const isHidden = (s, depth) => {
            const rules = rulesOf(s);
            return !rules || depth < 8 && rules.some(r => r.styleSheet && isHidden(r.styleSheet, depth + 1));
          };
          return roots.some(isCustom) && roots.some(r => [...r.styleSheets].some(s => isHidden(s, 0)));
        };
        const definitions = roots => {
          const customs = [];
          for (const r of roots) for (const e of r.querySelectorAll(':defined')) {
            if (e.localName.includes('-') && customs.push(e) >= 5000) break;
          }
          if (!customs.length) return;
          let n = 0, asks = !!S.asked?.defined;
          const states = new Set(S.asked?.states);
          const look = rules => {
            for (const r of rules || []) {
              if (++n > 50000) return;
              const t = r.selectorText || '';
              if (t.includes(':defined')) asks = true;
              if (t.includes(':state(') && states.size < 100) for (const m of t.matchAll(/:state\(([-\w\u0080-\uffff]+)\)/g)) states.add(m[1]);
              if (r.cssRules) look([...r.cssRules]); else if (r.styleSheet) look(rulesOf(r.styleSheet));
            }
          };
          for (const r of roots) for (const s of [...r.styleSheets, ...(r.adoptedStyleSheets || [])]) look(rulesOf(s));
          // The sheets' selectors name this attribute when they are written.
          if (states.size) for (const e of customs) {
            const own = [...states].filter(s => e.matches(`:state(${CSS.escape(s)})`));
            if (own.length) e.setAttribute('data-sbfs-state', own.join(' '));
          }
          if (!asks) return;
          notes.add('definedElements');
          const seen = customs.map(e => { const c = getComputedStyle(e); return [c.display, c.visibility, c.opacity] });
          customs.forEach((e, i) => important(e, {display: seen[i][0], visibility: seen[i][1], opacity: seen[i][2]}));
        };

        // What a script put into slots itself is put there by name: nothing assigns it in the saved page.
        const slots = roots => {
          for (const r of roots) {
            if (!(r instanceof ShadowRoot) || r.slotAssignment !== 'manual') continue;
            const taken = [...r.querySelectorAll('slot')].map(s => [s, s.assignedNodes()]);
            for (const e of r.host.children) e.removeAttribute('slot');
            taken.forEach(([slot, nodes], i) => {
              const name = `sbfs-${i}`;
              slot.setAttribute('name', name);
              for (const n of nodes) {
                let e = n;
                if (n.nodeType === 3) { e = html('span'); e.style.display = 'contents'; n.replaceWith(e); e.append(n) }
                e.setAttribute('slot', name);
              }
            });
          }
        };

        // A parser drops the first line break in these, so one that is there needs another before it.
        const lineBreaks = roots => {
          for (const e of all(roots, 'pre,listing,textarea')) {
            const t = e.firstChild;
            if (t && t.nodeType === 3 && t.data[0] === '\n') t.data = '\n' + t.data;
          }
        };

        // A box that is scrolled starts at the first element that it shows.
        const positions = roots => {
          let n = 0;
          for (const e of all(roots, '*')) {
            if (e.scrollTop < 1 || e === document.scrollingElement || e === scroller || e.localName === 'textarea') continue;
            if (++n > 50) break;
            const top = e.getBoundingClientRect().top + e.clientTop;
            let best = null, least = e.clientHeight;
            const isOwn = i => { for (let p = i.parentElement; p && p !== e; p = p.parentElement) if (p.scrollTop) return false; return true };
            for (const i of [...e.querySelectorAll('*')].slice(0, 5000)) {
              const r = i.getBoundingClientRect(), distance = r.top - top;
              if (r.height > 0 && distance > -1 && distance < least && isOwn(i)) { best = i; least = distance }
            }
            if (best) best.style.setProperty('scroll-initial-target', 'nearest');
          }
        };
        """#
}
