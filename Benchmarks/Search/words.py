"""The words of a text and the weights of fields: the rules by which answers are judged.

Words: NFKD, combining marks (category Mn) removed, lower case, letters with a stroke replaced (NFKD leaves them alone, and
people type "Lodz" for "Łódź"), then maximal runs of Unicode letters and digits.

A word matches a document if it is a word of its title, its tags or its text. Several words must all match, each in any
field. A phrase matches words in a row inside one field. A prefix matches if a word starts with it. A tag matches the exact
string. A bare word, as a person types it, matches if a word starts with it; see truth.py for how it scores.
"""
import re
import unicodedata

WORD = re.compile(r"[^\W_]+")
ASCII_WORD = re.compile(r"[a-z0-9]+")
STROKES = {
    "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ŧ": "t", "ŀ": "l", "ŋ": "n", "ς": "σ", "ß": "ss",
    "æ": "ae", "œ": "oe", "þ": "th", "ĸ": "q", "ƒ": "f",
}
STROKES_TABLE = str.maketrans(STROKES)
MARKS_TABLE = {code: None for code in range(0x110000) if unicodedata.category(chr(code)) == "Mn"}

FIELDS = ("title", "tags", "text")
# BM25F: how much a word counts in a field, and how much the field's length takes away. They were chosen by known-item
# search on 30,000 documents of the corpus (two words of a title, a title and a text word, a tag and a text word, two words
# of the text): the mean reciprocal rank was .609, and .603 with weights 5, 3, 1 and b .75 in all fields.
WEIGHTS = {"title": 10.0, "tags": 6.0, "text": 1.0}
LENGTH_SHARE = {"title": 0.3, "tags": 0.0, "text": 0.75}


def fold(text):
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", text).translate(MARKS_TABLE).lower().translate(STROKES_TABLE)


def words(text):
    if text.isascii():
        return ASCII_WORD.findall(text.lower())
    return WORD.findall(fold(text))


def required_words(query):
    """The folded words of a query that must all match; its phrase, prefix and bare words apart."""
    return [word for term in query["terms"] for word in words(term)]


def bare_words(query):
    return [word for term in query.get("bare", ()) for word in words(term)]
