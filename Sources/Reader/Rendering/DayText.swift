internal import Time

/// A day as people write it in a language: `5 mars 2024`, `2024年3月5日`.
enum DayText {
    /// The day of a day or an instant, as in ISO 8601.
    static func day(_ published: String) -> CalendarDate? {
        let parts = published.prefix(10).split(separator: "-").map { Int($0) ?? 0 }
        guard parts.count == 3, (1...12).contains(parts[1]) else { return nil }
        return CalendarDate(year: parts[0], month: parts[1], day: parts[2])
    }

    /// - Parameters:
    ///   - published: a day or an instant, as in ISO 8601.
    ///   - language: a BCP 47 tag.
    /// - Returns: as in ISO 8601 for a language that is not in the table, or without one.
    static func of(_ published: String, language: String?) -> String {
        let iso = String(published.prefix(10))
        guard let day = day(published) else { return iso }
        let tag = (language ?? "").lowercased().split(separator: "-").map(String.init)
        guard let name = tag.first, let form = forms[tag.prefix(2).joined(separator: "-")] ?? forms[name] else {
            return iso
        }
        let months = form.months.split(separator: " ")
        var text = ""
        for character in form.order {
            switch character {
            case "D": text += name == "fr" && day.day == 1 ? "1er" : String(day.day)
            case "M":
                let month = months.count == 12 ? String(months[day.month - 1]) : String(day.month)
                // d'abril, d'agost, d'octubre
                if name == "ca", "aeiou".contains(month.first ?? "x"), text.hasSuffix("de ") {
                    text = text.dropLast(2) + "'"
                }
                text += month
            case "Y": text += String(day.year)
            // The years of the Buddhist calendar.
            case "B": text += String(day.year + 543)
            default: text.append(character)
            }
        }
        guard let zero = zeros[name] else { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    ("0"..."9").contains($0) ? Unicode.Scalar(zero + $0.value - 0x30) ?? $0 : $0
                }))
    }

    /// The order of day, month and year, and the months as they stand in a date; without names, the month is a number.
    private struct Form {
        let order: String
        let months: String

        init(_ order: String, _ months: String = "") {
            self.order = order
            self.months = months
        }
    }

    /// The zeros of languages that write dates in digits of their own.
    private static let zeros: [String: UInt32] = ["bn": 0x09E6, "fa": 0x06F0]

    private static let english = "January February March April May June July August September October November December"
    private static let norwegian = "januar februar mars april mai juni juli august september oktober november desember"

    private static let forms: [String: Form] = [
        "en": Form("D M Y", english), "en-us": Form("M D, Y", english),
        "de": Form("D. M Y", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
        "fr": Form("D M Y", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
        "es": Form(
            "D de M de Y",
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
        "ca": Form("D de M de Y", "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre"),
        "it": Form(
            "D M Y",
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
        "pt": Form(
            "D de M de Y",
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
        "ro": Form(
            "D M Y",
            "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie"),
        "nl": Form("D M Y", "januari februari maart april mei juni juli augustus september oktober november december"),
        "sv": Form("D M Y", "januari februari mars april maj juni juli augusti september oktober november december"),
        "da": Form("D. M Y", "januar februar marts april maj juni juli august september oktober november december"),
        "nb": Form("D. M Y", norwegian), "nn": Form("D. M Y", norwegian), "no": Form("D. M Y", norwegian),
        "fi": Form(
            "D. M Y",
            "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
                + "marraskuuta joulukuuta"),
        "pl": Form(
            "D M Y",
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"),
        "cs": Form(
            "D. M Y", "ledna února března dubna května června července srpna září října listopadu prosince"),
        "sk": Form(
            "D. M Y", "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra"),
        "hu": Form(
            "Y. M D.",
            "január február március április május június július augusztus szeptember október november december"),
        "tr": Form("D M Y", "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık"),
        "ru": Form(
            "D M Y г.", "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
        "uk": Form(
            "D M Y р.",
            "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня"),
        "el": Form(
            "D M Y",
            "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου "
                + "Δεκεμβρίου"),
        "id": Form("D M Y", "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember"),
        "he": Form("D בM Y", "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר"),
        "ar": Form("D M Y", "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"),
        "hi": Form("D M Y", "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर"),
        "th": Form(
            "D M B",
            "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม"),
        "bg": Form(
            "D M Y г.", "януари февруари март април май юни юли август септември октомври ноември декември"),
        "bn": Form(
            "D M, Y",
            "জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর"),
        "fa": Form(
            "D M Y", "ژانویهٔ فوریهٔ مارس آوریل مهٔ ژوئن ژوئیهٔ اوت سپتامبر اکتبر نوامبر دسامبر"),
        "hr": Form(
            "D. M Y.",
            "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca"),
        "sr": Form("D. M Y.", "јануар фебруар март април мај јун јул август септембар октобар новембар децембар"),
        "sr-latn": Form("D. M Y.", "januar februar mart april maj jun jul avgust septembar oktobar novembar decembar"),
        "ur": Form("D M، Y", "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر"),
        "lt": Form(
            "Y m. M D d.",
            "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio"),
        "et": Form(
            "D. M Y", "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember"),
        "vi": Form("D tháng M, Y"), "ja": Form("Y年M月D日"), "zh": Form("Y年M月D日"), "ko": Form("Y년 M월 D일"),
    ]
}
