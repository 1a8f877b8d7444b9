import Testing

@testable import Items

/// The grammar of a comment typed while saving: quoted runs are text, other words are tags.
struct CommentTests {
    struct Case: CustomStringConvertible {
        let description: String
        let comment: String
        let text: String?
        let tags: [String]

        init(_ name: String, _ comment: String, _ text: String?, _ tags: [String]) {
            (description, self.comment, self.text, self.tags) = (name, comment, text, tags)
        }
    }

    @Test(arguments: [
        Case("nothing", "", nil, []),
        Case("white space", " \n\t", nil, []),
        Case("words are tags", "one two", nil, ["one", "two"]),
        Case("hash signs are dropped", "#one ##two", nil, ["one", "two"]),
        Case("a hash sign inside is kept", "C# #F#", nil, ["C#", "F#"]),
        Case("a hash sign alone is nothing", "# one", nil, ["one"]),
        Case("commas separate", "one,two , three,", nil, ["one", "two", "three"]),
        Case("doubles collapse", "Tag tag TAG", nil, ["Tag"]),
        Case("collections", "collection:Work/AI #Work", nil, ["collection:Work/AI", "Work"]),
        Case("straight double quotes", #"say "hello there" work"#, "hello there", ["say", "work"]),
        Case("smart double quotes", "say “hello there” work", "hello there", ["say", "work"]),
        Case("two closing quotes", "”hello” work", "hello", ["work"]),
        Case("low quotes", "„hallo du“ work", "hallo du", ["work"]),
        Case("low and high quotes", "„hello” work", "hello", ["work"]),
        Case("several runs are lines", #""one" tag "two" “three”"#, "one\ntwo\nthree", ["tag"]),
        Case("single quotes", "'one two' tag", "one two", ["tag"]),
        Case("smart single quotes", "‘one two’ tag", "one two", ["tag"]),
        Case("single quotes next to punctuation", "('one'), tag", "one", ["(", ")", "tag"]),
        Case("apostrophe in a word", "don't it’s", nil, ["don't", "it’s"]),
        Case("apostrophe at a word's end", "dogs' 'x'", "x", ["dogs'"]),
        Case("apostrophe at a word's beginning", "'tis fine", nil, ["'tis", "fine"]),
        Case("apostrophe in single quotes", "it's 'don't worry' ok", "don't worry", ["it's", "ok"]),
        Case("smart apostrophe in single quotes", "‘don’t worry’ ok", "don’t worry", ["ok"]),
        Case("single in double", #""it's 'fine' so" ok"#, "it's 'fine' so", ["ok"]),
        Case("double in single", #"'say "x" now' ok"#, #"say "x" now"#, ["ok"]),
        Case("straight in smart", "“a \"b\" c” ok", "a \"b\" c", ["ok"]),
        Case("empty runs are nothing", #""" '' " " ok"#, nil, ["ok"]),
        Case("a quote without end is dropped", #""unclosed tag"#, nil, ["unclosed", "tag"]),
        Case("a smart quote without end", "“open tag", nil, ["open", "tag"]),
        Case("a single quote before a space", "' a' b", nil, ["'", "a'", "b"]),
        Case("quotes inside a word", #"a"b c"d"#, "b c", ["a", "d"]),
        Case("a run may have lines", "\"a\nb\" t", "a\nb", ["t"]),
        Case("white space in a run is kept", #""  a  ""#, "  a  ", []),
        Case("other writing systems", "読む 'один два' ένα", "один два", ["読む", "ένα"]),
    ])
    func `a comment is text and tags`(_ item: Case) {
        let comment = Comment(parsing: item.comment)
        #expect(comment.text == item.text)
        #expect(comment.tags == item.tags)
    }
}
