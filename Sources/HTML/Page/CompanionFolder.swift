/// The folder in which a browser stores the files of a page that it saves as a complete page: `page_files` beside
/// `page.html`.
package enum CompanionFolder {
    /// The endings that programs add to the file's name: Chromium, Firefox, Internet Explorer and Office in their
    /// languages (the list of Windows' connected files), and `.assets`.
    private static let endings = [
        "_files", ".files", "-files", ".assets", "_assets", "-Dateien", "_fichiers", "_bestanden", "_file", "_archivos",
        "-filer", "_tiedostot", "_pliki", "_soubory", "_elemei", "_ficheiros", "_arquivos", "_dosyalar", "_datoteke",
        "_fitxers", "_failid", "_fails", "_bylos", "_fajlovi", "_fitxategiak",
    ]

    /// The names that the folder of a page may have.
    ///
    /// - Parameter name: the page's file, without a path.
    package static func names(for name: String) -> [String] {
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        let stems = [name] + (dot.map { [String(name[..<$0])] } ?? [])
        return stems.flatMap { stem in endings.map { stem + $0 } }
    }
}
