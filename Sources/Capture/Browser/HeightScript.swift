/// The part of `PageScript` that finds heights which the page's scripts set to the window's, also in custom properties of the page.
///
/// `sbfs.heights` names the candidates, the window changes its height, and `sbfs.measure` keeps those that changed by as
/// much. `sbfs.fix` writes them so that they follow the window that shows the saved page.
enum HeightScript {
    static let source = #"""
        // A height, or a hundredth of one in a custom property such as --vh: scale says how often it goes into the window's.
        const candidates = new Map(), following = new Map();
        const consider = (e, k, scale) => {
          const v = /^([0-9.]+)px$/.exec(e.style.getPropertyValue(k).trim()), height = v ? v[1] * scale : 0;
          if (height > innerHeight / 4 && height < innerHeight + 1) candidates.set(e, {...candidates.get(e), [k]: {value: +v[1], scale}});
        };
        S.heights = () => {
          for (const e of [document.documentElement, document.body].filter(e => e && e.style)) {
            for (const k of [...e.style].filter(k => k.startsWith('--')).slice(0, 50)) {
              consider(e, k, Math.abs(parseFloat(e.style.getPropertyValue(k)) * 100 - innerHeight) < 1 ? 100 : 1);
            }
          }
          for (const e of document.querySelectorAll('[style*="height"]')) {
            for (const k of ['height', 'min-height', 'max-height']) consider(e, k, 1);
            if (candidates.size >= 50) break;
          }
          return candidates.size;
        };
        S.measure = async change => {
          await frame(); await frame();
          for (const [e, before] of candidates) for (const k in before) {
            const {value, scale} = before[k], now = parseFloat(e.style.getPropertyValue(k));
            if (Math.abs((now - value) * scale - change) < (scale > 1 ? 1 : 0.5)) {
              following.set(e, {...following.get(e), [k]: {rest: Math.round(innerHeight - now * scale), scale}});
            }
          }
          return following.size;
        };
        // Waits until the page has followed its window back.
        S.restored = async () => { await frame(); await frame(); return true };
        const follow = () => {
          for (const [e, values] of following) for (const k in values) {
            const {rest, scale} = values[k], height = rest ? `calc(100vh - ${rest}px)` : '100vh';
            const value = scale === 1 ? height : rest ? `calc((100vh - ${rest}px) / ${scale})` : `${100 / scale}vh`;
            e.style.setProperty(k, value, e.style.getPropertyPriority(k));
          }
        };
        """#
}
