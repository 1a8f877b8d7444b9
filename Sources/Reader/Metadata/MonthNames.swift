internal import HTML

/// The names of the months and the small words in dates, in lower case.
enum MonthNames {
    /// 1–12 for a month, -1 for a word that may be between the parts of a date.
    static let table = NameTable(entries)

    private static let entries: [(String, Int)] = {
        var entries: [(String, Int)] = []
        var seen: Set<String> = []
        for (index, names) in names.enumerated() {
            for name in names.split(separator: " ").map(String.init) where seen.insert(name).inserted {
                if name.utf8.count <= 16 { entries.append((name, index + 1)) }
            }
        }
        for name in between.split(separator: " ").map(String.init) where seen.insert(name).inserted {
            entries.append((name, -1))
        }
        return entries
    }()

    /// Ordinal endings, articles and prepositions.
    private static let between = "st nd rd th er re de del of the den d du º ª ° r года г"

    /// English, German (with Austrian), French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Slovak, Russian,
    /// Ukrainian, Turkish, Swedish, Danish, Norwegian, Finnish, Hungarian, Romanian, Catalan, Greek, Croatian, Indonesian.
    /// A name that means different months in two languages is listed for the more frequent one.
    private static let names = [
        "january jan januar jänner jaenner jän janvier janv enero ene gennaio gen janeiro januari stycznia styczeń leden ledna "
            + "januára января январь січня ocak tammikuuta tammikuu január ianuarie gener ιανουαρίου siječnja",
        "february feb februar feber februari février fevrier févr fév febrero febbraio fevereiro fev lutego luty únor února "
            + "februára февраля февраль лютого şubat helmikuuta február februarie febrer φεβρουαρίου veljače febr",
        "march mar märz maerz mär mrz mars marzo março marco maart mrt marca marzec březen března марта март березня mart "
            + "maaliskuuta március martie març μαρτίου ožujka maret",
        "april apr avril avr abril abr aprile kwietnia kwiecień duben dubna apríla апреля апрель квітня nisan huhtikuuta "
            + "április aprilie απριλίου travnja",
        "may mai mayo maggio mag maio mei maja květen května mája мая май травня mayıs maj toukokuuta május maig "
            + "μαΐου svibnja",
        "june jun juni juin junio giugno giu junho czerwca czerwiec červen června júna июня июнь червня haziran kesäkuuta "
            + "június iunie juny ιουνίου lipnja",
        "july jul juli juillet juil julio luglio lug julho lipca lipiec červenec července júla июля июль липня temmuz "
            + "heinäkuuta július iulie juliol ιουλίου srpnja",
        "august aug août aout agosto ago augustus sierpnia sierpień srpen srpna augusta августа август серпня ağustos "
            + "augusti elokuuta augusztus agost αυγούστου kolovoza agustus",
        "september sep sept septembre septiembre settembre set setembro września wrzesień září septembra сентября сентябрь "
            + "вересня eylül syyskuuta szeptember septembrie setembre σεπτεμβρίου rujna",
        "october oct oktober okt octobre octubre ottobre ott outubro out października październik říjen října októbra "
            + "октября октябрь жовтня ekim lokakuuta október octombrie οκτωβρίου",
        "november nov novembre noviembre novembro listopad novembra ноября ноябрь листопада kasım marraskuuta noiembrie "
            + "νοεμβρίου studenoga studenog listopada",
        "december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro grudnia grudzień prosinec prosince "
            + "decembra декабря декабрь грудня aralık joulukuuta decembrie desembre δεκεμβρίου prosinca desember",
    ]
}
