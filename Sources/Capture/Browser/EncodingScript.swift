/// The part of `PageScript` that says whether a page without a declared encoding was read as windows-1252 and is UTF-8.
enum EncodingScript {
    static let source = #"""
        S.isMisread = () => {
          if (document.characterSet !== 'windows-1252' || document.contentType !== 'text/html') return false;
          if (document.querySelector('meta[charset],meta[http-equiv="content-type" i]')) return false;
          const byte = new Map([...new TextDecoder('windows-1252').decode(Uint8Array.from({length: 256}, (_, i) => i))].map((c, i) => [c, i]));
          const decoder = new TextDecoder('utf-8', {fatal: true});
          const walk = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
          for (let n, looked = 0; looked < 20000 && (n = walk.nextNode()); looked++) {
            const text = n.data.slice(0, 5000);
            if (!/[^\x00-\x7f]/.test(text)) continue;
            const bytes = [...text].map(c => byte.get(c));
            if (bytes.includes(undefined)) continue;
            try { decoder.decode(Uint8Array.from(bytes)); return true } catch {}
          }
          return false;
        };
        """#
}
