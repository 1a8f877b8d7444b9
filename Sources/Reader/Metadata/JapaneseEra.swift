/// The eras of Japan's calendar, whose years are counted from one: 令和3年 is 2021.
enum JapaneseEra {
    private static let eras: [(name: [UInt8], firstYear: Int)] = [
        (Array("令和".utf8), 2019), (Array("平成".utf8), 1989), (Array("昭和".utf8), 1926),
    ]

    /// The first year of the era whose name ends at a place in a text, with or without a space.
    static func firstYear(before place: Int, in bytes: [UInt8]) -> Int? {
        let end = place > 0 && bytes[place - 1] == 0x20 ? place - 1 : place
        guard end >= 6, bytes[end - 1] >= 0x80 else { return nil }
        return eras.first { bytes[end - 6..<end].elementsEqual($0.name) }?.firstYear
    }
}
