/// What stands at the foot of reader.html, in the page's language where it is known.
enum SavedNote {
    /// "This page is saved locally", and the word before the address of the original.
    static func words(language: String?) -> (saved: String, original: String) {
        let tag = (language ?? "").lowercased().prefix { $0 != "-" && $0 != "_" }
        return words[String(tag)] ?? ("This page is saved locally", "The original:")
    }

    private static let words: [String: (String, String)] = [
        "de": ("Diese Seite ist lokal gespeichert", "Das Original:"),
        "fr": ("Cette page est enregistrée localement", "L’original :"),
        "es": ("Esta página está guardada localmente", "El original:"),
        "it": ("Questa pagina è salvata localmente", "L’originale:"),
        "pt": ("Esta página está guardada localmente", "O original:"),
        "nl": ("Deze pagina is lokaal bewaard", "Het origineel:"),
        "pl": ("Ta strona jest zapisana lokalnie", "Oryginał:"),
        "ru": ("Эта страница сохранена локально", "Оригинал:"),
        "el": ("Αυτή η σελίδα είναι αποθηκευμένη τοπικά", "Το πρωτότυπο:"),
        "ar": ("هذه الصفحة محفوظة محليا", "الأصل:"),
        "he": ("הדף הזה שמור מקומית", "המקור:"),
        "ja": ("このページはローカルに保存されています", "元のページ："),
        "zh": ("此页面已保存在本地", "原文："),
        "ko": ("이 페이지는 로컬에 저장되어 있습니다", "원본:"),
    ]
}
