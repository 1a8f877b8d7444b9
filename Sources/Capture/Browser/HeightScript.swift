/// The part of `PageScript` that finds heights which the page's scripts set to the window's.
///
/// `sbfs.heights` names the candidates, the window changes its height, and `sbfs.measure` keeps those that changed by as
/// much. `sbfs.fix` writes them so that they follow the window that shows the saved page.
enum HeightScript {
    static let source = #"""
        const candidates = new Map(), following = new Map();
        S.heights = () => {
          for (const e of document.querySelectorAll('[style*="height"]')) {
            for (const k of ['height', 'min-height', 'max-height']) {
              const v = /^([0-9.]+)px$/.exec(e.style.getPropertyValue(k));
              if (v && v[1] > innerHeight / 4 && v[1] <= innerHeight) candidates.set(e, {...candidates.get(e), [k]: +v[1]});
            }
            if (candidates.size >= 50) break;
          }
          return candidates.size;
        };
        S.measure = async change => {
          await frame(); await frame();
          for (const [e, before] of candidates) for (const k in before) {
            const now = parseFloat(e.style.getPropertyValue(k));
            if (Math.abs(now - before[k] - change) < 0.5) following.set(e, {...following.get(e), [k]: innerHeight - now});
          }
          return following.size;
        };
        // Waits until the page has followed its window back.
        S.restored = async () => { await frame(); await frame(); return true };
        const follow = () => {
          for (const [e, values] of following) for (const k in values)
            e.style.setProperty(k, `calc(100vh - ${Math.round(values[k])}px)`, e.style.getPropertyPriority(k));
        };
        """#
}
