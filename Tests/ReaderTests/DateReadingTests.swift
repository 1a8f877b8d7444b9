import Testing
import Time

@testable import Reader

struct DateReadingTests {
    private static let today = CalendarDate(year: 2026, month: 11, day: 21)

    @Test(arguments: [
        ("2021-03-04", "2021-03-04"), ("2021-03-04T10:11:12Z", "2021-03-04T10:11:12Z"),
        ("2021-03-04T10:11:12+0100", "2021-03-04T10:11:12+01:00"), ("20210304", "2021-03-04"),
        ("2021/3/4", "2021-03-04"),
        ("/2021/03/04/title", "2021-03-04"), ("4.3.2021", "2021-03-04"), ("04.03.21", "2021-03-04"),
        ("4. März 2021", "2021-03-04"), ("4 March 2021", "2021-03-04"), ("March 4th, 2021", "2021-03-04"),
        ("Thu, 04 Mar 2021 10:00:00 GMT", "2021-03-04"), ("Mar. 4, 2021", "2021-03-04"), ("4 mars 2021", "2021-03-04"),
        ("1er février 2021", "2021-02-01"), ("4 de marzo de 2021", "2021-03-04"), ("4 de março de 2021", "2021-03-04"),
        ("4 marzo 2021", "2021-03-04"), ("4 maart 2021", "2021-03-04"), ("4 marca 2021", "2021-03-04"),
        ("4. března 2021", "2021-03-04"), ("4 МАРТА 2021 г.", "2021-03-04"), ("4 Mart 2021", "2021-03-04"),
        ("2021年3月4日", "2021-03-04"), ("2021년 3월 4일", "2021-03-04"), ("4. Jänner 2021", "2021-01-04"),
        ("Published: 4 mars 2021 kl. 10", "2021-03-04"),
    ])
    func `a date is read in its language`(_ text: String, _ expected: String) {
        let reading = DateReading(latest: Self.today, monthFirst: false)
        #expect(reading.first(in: text.utf8)?.text == expected)
    }

    @Test(arguments: [
        ("2024年5月3日", "2024-05-03"), ("２０２４年５月３日", "2024-05-03"), ("2024년 5월 3일", "2024-05-03"),
        ("2024. 5. 3.", "2024-05-03"), ("3 مايو 2024", "2024-05-03"), ("٣ مايو، ٢٠٢٤", "2024-05-03"),
        ("3 أيار 2024", "2024-05-03"), ("12 تشرين الثاني 2023", "2023-11-12"), ("3 במאי 2024", "2024-05-03"),
        ("3 मई 2024", "2024-05-03"), ("३ मई, २०२४", "2024-05-03"), ("12 फ़रवरी 2023", "2023-02-12"),
        ("৩ মে ২০২৪", "2024-05-03"), ("3 พฤษภาคม 2567", "2024-05-03"), ("3 พ.ค. 2567", "2024-05-03"),
        ("12 กุมภาพันธ์ 2024", "2024-02-12"), ("۱۴ اردیبهشت ۱۴۰۳", "2024-05-03"), ("1 فروردین 1404", "2025-03-21"),
        ("30 اسفند 1399", "2021-03-20"), ("11 دی 1378", "2000-01-01"), ("3\u{A0}мај\u{A0}2024", "2024-05-03"),
        ("令和3年3月12日", "2021-03-12"), ("平成 30年4月1日", "2018-04-01"), ("令和６年５月３日", "2024-05-03"),
        ("25 شوال 1445 الموافق 3 مايو 2024", "2024-05-03"),
    ])
    func `a date is read in its script and calendar`(_ text: String, _ expected: String) {
        let reading = DateReading(latest: Self.today, monthFirst: false)
        #expect(reading.first(in: text.utf8)?.text == expected)
    }

    @Test(arguments: ["25 شوال 1445", "3 พฤษภาคม 2570", "31 اسفند 1399", "民國113年5月3日", "令和6年", "3 мая 1403"])
    func `a date of another calendar that is not sure is not read`(_ text: String) {
        #expect(DateReading(latest: Self.today, monthFirst: true).first(in: text.utf8) == nil)
    }

    @Test(arguments: [
        ("Version 2.4, January 12, 2014", "2014-01-12"), ("Page 5 January 12, 2014", "2014-01-12"),
        ("Version 2.4, January 2014", nil), ("12 January 14", "2014-01-12"),
    ])
    func `a number before a month and a day is no day`(_ text: String, _ expected: String?) {
        #expect(DateReading(latest: Self.today, monthFirst: true).first(in: text.utf8)?.text == expected)
    }

    @Test func `the place of a date is that in its text`() throws {
        let text = "٠٠ نشر ٣ مايو ٢٠٢٤"
        let place = try #require(DateReading(latest: Self.today, monthFirst: true).first(in: text.utf8)).place
        #expect(text.utf8.dropFirst(place).starts(with: "٣ مايو".utf8))
    }

    @Test(arguments: [
        "", "2021", "13.13.2021", "2021-02-30", "1.2.3.2021", "31.12.1994", "1.1.2027", "may 2021", "10:11:12",
        "in 2021 we had 12",
        "99999999999999999999", "version 2.10.3", "192.168.10.20", "1.1.13. Play time", "1.1.13", "Python 3.10.12",
    ])
    func `an impossible date is not read`(_ text: String) {
        #expect(DateReading(latest: Self.today, monthFirst: true).first(in: text.utf8) == nil)
    }

    @Test func `the month comes first only if the page writes it first`() {
        #expect(DateReading(latest: Self.today, monthFirst: true).first(in: "3/4/2021".utf8)?.text == "2021-03-04")
        #expect(DateReading(latest: Self.today, monthFirst: false).first(in: "3/4/2021".utf8)?.text == "2021-04-03")
        #expect(DateReading(latest: Self.today, monthFirst: true).first(in: "25/4/2021".utf8)?.text == "2021-04-25")
        #expect(DateReading(latest: Self.today, monthFirst: true).first(in: "3.4.2021".utf8)?.text == "2021-04-03")
    }
}
