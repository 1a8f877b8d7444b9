/// The part of `PageScript` that says whether a page may still get its text. `sbfs.isLoading`: it has little text, and
/// shows a sign of waiting or nothing at all. `sbfs.isScant`: it has little text, and nothing else to show. `sbfs.isLeaving`: it leads to another page.
enum LoadingScript {
    static let source = #"""
        const loadingWords = new RegExp('^\\W*(loading|please wait|one moment|just a sec|fetching|lade[nt]?|laden|wird geladen|bitte warten|' +
          'einen moment|chargement|veuillez patienter|cargando|espere|un momento|carregando|a carregar|aguarde|caricamento|attendere|' +
          'laddar|vänta|indlæser|laster|lastes|ladataan|odota|načítá|načíta|ładowanie|proszę czekać|betöltés|se încarcă|încărcare|učitava|' +
          'nalaganje|yükleniyor|bekleyin|đang tải|memuat|загрузка|загружа|подождите|завантаж|зарежда|учитава|φόρτωση|φορτώνει|読み込み|' +
          'ロード中|お待ち|加载|正在加载|載入|请稍候|請稍候|로딩|불러오는|잠시만|กำลังโหลด|लोड|लोड हो|جار|جاري|يرجى الانتظار|در حال بارگ|טוען|אנא המתן)', 'iu');
        const loadingNames = /(^|[-_])(skeleton|shimmer|spinner|loader|loading|preloader)s?([-_](?!done|complete|finished|hidden|off|none)\w+)?$/i;
        const isSeen = e => {
          if (!e.checkVisibility({opacityProperty: true, visibilityProperty: true})) return false;
          const r = e.getBoundingClientRect();
          return r.width > 7 && r.height > 1;
        };
        const shows = e => (e.innerText || '').trim() || [...e.querySelectorAll('img,svg,canvas,video,iframe,object,embed,input,textarea,select,audio')].some(isSeen) ||
          [e, ...e.querySelectorAll('*')].slice(0, 500).some(i => i.shadowRoot && [...i.shadowRoot.children].some(c => (c.innerText || '').trim()) || /url\(/.test(getComputedStyle(i).backgroundImage));
        const places = 'main,[role=main],#root,#app,#__next,#__nuxt,#___gatsby,app-root,#content,#main';
        // The length of the text outside the parts that all pages of a site share.
        const ownLength = body => {
          const frames = [...body.querySelectorAll('body > header,nav,body > footer,aside,[role=banner],[role=navigation],[role=contentinfo]')];
          let length = (body.innerText || '').trim().length;
          // What is not shown is in neither length.
          for (const e of frames) if (e.checkVisibility() && !frames.some(f => f !== e && f.contains(e))) length -= (e.innerText || '').trim().length;
          return length;
        };
        const isLarge = e => { const r = e.getBoundingClientRect(); return isSeen(e) && r.width * r.height > 30000 };
        S.isScant = () => {
          const body = document.body;
          return !!body && document.contentType === 'text/html' && ownLength(body) < 250 &&
            ![...body.querySelectorAll('input,textarea,select')].some(isSeen) &&
            ![...body.querySelectorAll('img,svg,canvas,video,iframe,object,embed,audio')].some(isLarge);
        };
        // Whether the page leads to another one within a few seconds.
        S.isLeaving = () => {
          const body = document.body, meta = document.querySelector('meta[http-equiv=refresh i]');
          const order = meta && /^\s*([0-9](\.\d*)?)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(meta.content);
          if (!order || +order[1] > 6 || body && ownLength(body) > 400) return false;
          try {
            const next = new URL(order[3].trim(), document.baseURI);
            next.hash = location.hash;
            return /^https?:$/.test(next.protocol) && next.href !== location.href;
          } catch { return false }
        };
        S.isLoading = () => {
          const body = document.body;
          if (!body || document.contentType !== 'text/html') return false;
          const length = ownLength(body);
          if (length > 400) return false;
          if (!shows(body)) return true;
          const root = body.querySelector(places);
          if (root && root.getBoundingClientRect().width > 0 && !shows(root) && length < 100) return true;
          const elements = rootsOf(document).slice(0, 500).flatMap(r => [...r.querySelectorAll('*')].slice(0, 3000));
          for (const e of [document.documentElement, ...elements.slice(0, 6000)]) {
            if (/^(img|picture|iframe|video|script|style|svg|path)$/.test(e.localName)) continue;
            const says = e.firstElementChild ? '' : (e.textContent || '').trim();
            if ((e.getAttribute('aria-busy') === 'true' || e.getAttribute('role') === 'progressbar' && !e.hasAttribute('aria-valuenow') ||
              [...e.classList].some(c => loadingNames.test(c)) || says && says.length < 60 && loadingWords.test(says) && !e.closest('button,a,label')) && isSeen(e)) return true;
            // The text itself is the sign: a body or a box with a few words beside its scripts.
            if (!says && e.childElementCount < 8) {
              const own = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join(' ').trim();
              if (own && own.length < 60 && loadingWords.test(own) && isSeen(e)) return true;
            }
          }
          return false;
        };
        """#
}
