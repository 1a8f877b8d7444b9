internal import Time

/// The names of months in scripts without capital letters, and in two other calendars that name their months
/// unmistakably: the Thai one, whose years are those of the Buddha, and the Persian one.
enum OtherMonths {
    /// Numbers of months whose year is counted in another way: 100 or 200 and the month.
    static let thaiMonths = 101...112
    static let persianMonths = 201...212

    /// The month that begins at a word; it may have a second word, or points in it.
    ///
    /// - Returns: 0 if it is none, and the end of what was read.
    static func month(in bytes: [UInt8], from start: Int, to end: Int) -> (Int, Int) {
        if end - start > 64 { return (0, end) }
        let word = String(decoding: bytes[start..<end], as: UTF8.self)
        // The rest of a name: "พ.ค.", "كانون الثاني".
        if end + 1 < bytes.count, bytes[end] == 0x2E || bytes[end] == 0x20, bytes[end + 1] >= 0x80 {
            var next = end + 1
            while next < bytes.count, next - end <= 24, bytes[next] >= 0x80 { next += 1 }
            let both = String(decoding: bytes[start..<next], as: UTF8.self)
            if let month = table[both] { return (month, next) }
        }
        return (table[word] ?? 0, end)
    }

    /// The Gregorian date of a Persian one; `nil` for years that no page has.
    static func gregorian(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate? {
        guard (1370...1500).contains(year), (1...12).contains(month), (1...(month <= 6 ? 31 : 30)).contains(day) else {
            return nil
        }
        // Eight leap years in 33: exact from 1244 to 1502 of the calendar.
        let years = year - 979
        let ofYear = month <= 6 ? (month - 1) * 31 : (month - 7) * 30 + 186
        let days = 365 * years + years / 33 * 8 + (years % 33 + 3) / 4 + ofYear + day - 1
        // 1 Farvardin 979 was 20 March 1600.
        return CalendarDate(year: 1600, month: 3, day: 20).adding(days: days)
    }

    private static let table: [String: Int] = {
        var table: [String: Int] = [:]
        for (first, lists) in [(1, gregorianNames), (101, thaiNames), (201, persianNames)] {
            for list in lists {
                for (index, name) in list.split(separator: ",").enumerated() {
                    for spelling in name.split(separator: "/") where table[String(spelling)] == nil {
                        table[String(spelling)] = first + index
                    }
                }
            }
        }
        for name in ["सन", "को", "של", "من", "في", "เดือน", "ปี", "พ.ศ"] { table[name] = -1 }
        return table
    }()

    private static let gregorianNames = [
        // Arabic: Egypt and the Gulf, the Levant and Iraq, the Maghreb.
        "يناير,فبراير,مارس,أبريل/ابريل/إبريل,مايو,يونيو/يونيه,يوليو/يوليه,أغسطس/اغسطس,سبتمبر,أكتوبر/اكتوبر,نوفمبر,ديسمبر",
        "كانون الثاني,شباط,آذار/اذار,نيسان,أيار/ايار,حزيران,تموز,آب,أيلول/ايلول,تشرين الأول/تشرين الاول,تشرين الثاني,كانون الأول/كانون الاول",
        "جانفي,فيفري,مارس,أفريل/افريل,ماي,جوان,جويلية,أوت,سبتمبر,أكتوبر,نوفمبر,ديسمبر",
        // Persian names of Gregorian months; Urdu.
        "ژانویه,فوریه,مارس,آوریل,مه,ژوئن,ژوئیه,اوت,سپتامبر,اکتبر,نوامبر,دسامبر",
        "جنوری,فروری,مارچ,اپریل,مئی,جون,جولائی,اگست,ستمبر,اکتوبر,نومبر,دسمبر",
        // Hebrew, with and without "in".
        "ינואר,פברואר,מרץ/מרס,אפריל,מאי,יוני,יולי,אוגוסט,ספטמבר,אוקטובר,נובמבר,דצמבר",
        "בינואר,בפברואר,במרץ/במרס,באפריל,במאי,ביוני,ביולי,באוגוסט,בספטמבר,באוקטובר,בנובמבר,בדצמבר",
        // Hindi, Bengali.
        "जनवरी,फरवरी/फ़रवरी,मार्च,अप्रैल,मई,जून,जुलाई,अगस्त,सितंबर/सितम्बर,अक्टूबर/अक्तूबर,नवंबर/नवम्बर,दिसंबर/दिसम्बर",
        "জানুয়ারি/জানুয়ারি,ফেব্রুয়ারি/ফেব্রুয়ারি,মার্চ,এপ্রিল,মে,জুন,জুলাই,আগস্ট,সেপ্টেম্বর,অক্টোবর,নভেম্বর,ডিসেম্বর",
        // Greek: genitive, nominative, short forms.
        "Ιανουαρίου/ιανουαρίου,Φεβρουαρίου/φεβρουαρίου,Μαρτίου/μαρτίου,Απριλίου/απριλίου,Μαΐου/μαΐου/Μαίου,Ιουνίου/ιουνίου,Ιουλίου/ιουλίου,Αυγούστου/αυγούστου,Σεπτεμβρίου/σεπτεμβρίου,Οκτωβρίου/οκτωβρίου,Νοεμβρίου/νοεμβρίου,Δεκεμβρίου/δεκεμβρίου",
        "Ιανουάριος,Φεβρουάριος,Μάρτιος,Απρίλιος,Μάιος,Ιούνιος,Ιούλιος,Αύγουστος,Σεπτέμβριος,Οκτώβριος,Νοέμβριος,Δεκέμβριος",
        "Ιαν,Φεβ,Μαρ,Απρ,Μαΐ/Μάι/Μαι,Ιουν/Ιούν,Ιουλ/Ιούλ,Αυγ/Αύγ,Σεπ/Σεπτ,Οκτ,Νοε/Νοέ/Νοεμ,Δεκ",
        // Bulgarian, Serbian.
        "януари,февруари,март,април,май,юни,юли,август,септември,октомври,ноември,декември",
        "јануар,фебруар,март,април,мај,јун,јул,август,септембар,октобар,новембар,децембар",
    ]
    private static let thaiNames = [
        "มกราคม,กุมภาพันธ์,มีนาคม,เมษายน,พฤษภาคม,มิถุนายน,กรกฎาคม,สิงหาคม,กันยายน,ตุลาคม,พฤศจิกายน,ธันวาคม",
        "ม.ค,ก.พ,มี.ค,เม.ย,พ.ค,มิ.ย,ก.ค,ส.ค,ก.ย,ต.ค,พ.ย,ธ.ค",
    ]
    private static let persianNames = [
        "فروردین,اردیبهشت,خرداد,تیر,مرداد,شهریور,مهر,آبان,آذر,دی,بهمن,اسفند"
    ]
}
