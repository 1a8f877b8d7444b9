import Testing

@testable import Reader

/// Names of authors without the labels of their languages.
struct AuthorLabelTests {
    @Test(arguments: [
        ("Von Anna Berg", "Anna Berg"), ("Par Anne Dupont", "Anne Dupont"), ("Por Ana Ruiz", "Ana Ruiz"),
        ("Di Marco Rossi", "Marco Rossi"), ("Door Jan Smit", "Jan Smit"), ("Автор: Анна Иванова", "Анна Иванова"),
        ("Автор Анна Иванова", "Анна Иванова"), ("作者：王小明", "王小明"), ("作者 王小明", "王小明"),
        ("記者王小明／台北報導", "王小明"), ("记者 王小明", "王小明"), ("文・山田太郎", "山田太郎"), ("執筆：山田 太郎", "山田 太郎"),
        ("글 김철수", "글 김철수"), ("글: 김철수", "김철수"), ("김철수 기자", "김철수"), ("राम कुमार द्वारा", "राम कुमार"),
        ("द्वारा राम कुमार", "राम कुमार"), ("लेखक: राम कुमार", "राम कुमार"), ("โดย สมชาย ใจดี", "สมชาย ใจดี"),
        ("بقلم أحمد علي", "أحمد علي"), ("بقلم: أحمد علي", "أحمد علي"), ("מאת דנה לוי", "דנה לוי"),
        ("מאת: דנה לוי", "דנה לוי"),
        ("نویسنده: رضا احمدی", "رضا احمدی"), ("Oleh: Budi Santoso", "Budi Santoso"), ("Oleh Petrenko", "Oleh Petrenko"),
        ("作者：王小明 编辑：李四", "王小明"), ("By Ann Lee, Staff Writer", "Ann Lee"),
        ("Ann Lee, senior political correspondents", "Ann Lee"),
        ("文在寅", "文在寅"), ("王小明", "王小明"), ("Yazan Halwani", "Yazan Halwani"),
    ])
    func `an author has no label`(_ text: String, _ name: String) {
        #expect(AuthorName.names(in: text) == [name])
    }

    @Test(arguments: [
        ("作者：王小明", ["王小明"]), ("記者会見", []), ("김철수 기자", ["김철수"]), ("بقلم: أحمد علي", ["أحمد علي"]),
        ("מאת: דנה לוי", ["דנה לוי"]), ("Door Jan Smit", ["Jan Smit"]), ("Di Marco Rossi", ["Marco Rossi"]),
        ("Di domenica il fiume sale", []), ("作者が語る", []),
    ])
    func `a line below the heading names its author`(_ line: String, _ names: [String]) {
        #expect(AuthorName.spoken(in: line) == names)
    }
}
