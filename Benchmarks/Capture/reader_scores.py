"""Compares what a program read from a page with what is known about the page.

Texts: the measure of scrapinghub's article-extraction-benchmark. Both texts become multisets of four words in a row; a page's
precision and recall are averaged over the pages, and F1 is that of the averages. Segments: the texts of trafilatura that must
and must not be found, counted over all pages, white space squashed. Titles: equal after NFKC, quotes, dashes, white space and
case; "loose" is F1 of words. Authors: the same set of names without "by"; "loose": one name in common. Days: equal.
"""
import collections
import html
import random
import re
import statistics
import unicodedata

from reader_cases import day

WORD = re.compile(r"\w+")
ROW = 4
RESAMPLES = 200
SIGNS = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"',
    "\u00bb": '"', "\u2013": "-", "\u2014": "-", "\u2010": "-", "\u2011": "-", "\u2212": "-", "\u2026": "...",
    "\u00ad": None, "\u200b": None, "\ufeff": None,
})
BY = re.compile(r"^(written by|posted by|by|von|par|por|di|door|av|af|text:|author:|autor:|autorin:)\s+")
BETWEEN_NAMES = re.compile(r"\s*(?:;|,|\||/|\n|&| and | und | et | y | e | og | och | with )\s*")
AROUND_NAMES = " .,:;-|"


def squash(text):
    return re.sub(r"\s+", " ", text or "").strip()


def normal(text):
    return squash(unicodedata.normalize("NFKC", html.unescape(text or "")).translate(SIGNS)).casefold()


def shingles(text):
    words = WORD.findall(text or "")
    rows = (tuple(words[at:at + ROW]) for at in range(max(1, len(words) - ROW + 1)))
    return collections.Counter(row for row in rows if row)


def agreement(known, found):
    """(common, only found, only known) of the shingles; their sum is 1, or 0 if both texts are empty."""
    known, found = shingles(known), shingles(found)
    common = sum((known & found).values())
    only_found, only_known = sum(found.values()) - common, sum(known.values()) - common
    total = common + only_found + only_known
    return (common / total, only_found / total, only_known / total) if total else (0.0, 0.0, 0.0)


def harmonic(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def f1_of_means(rows):
    """(F1, precision, recall) of agreements."""
    precisions = [common / (common + found) if common else 0.0 for common, found, _ in rows if common + found > 0]
    recalls = [common / (common + known) if common else 0.0 for common, _, known in rows if common + known > 0]
    if not precisions or not recalls:
        return 0.0, 0.0, 0.0
    precision, recall = statistics.mean(precisions), statistics.mean(recalls)
    return harmonic(precision, recall), precision, recall


def text_scores(pairs):
    """The texts of (known, found)."""
    rows = [agreement(known, found) for known, found in pairs]
    f1, precision, recall = f1_of_means(rows)
    choose = random.Random(1)
    resampled = [f1_of_means(choose.choices(rows, k=len(rows)))[0] for _ in range(RESAMPLES)]
    exact = statistics.mean(float(WORD.findall(known) == WORD.findall(found)) for known, found in pairs)
    return {"n": len(rows), "F1": f1, "P": precision, "R": recall, "sd": statistics.pstdev(resampled), "exact": exact}


def segment_scores(pairs):
    """Of (gold with the texts `with` and `without`, text that was found)."""
    right = wrong = missing = absent = 0
    for gold, text in pairs:
        text = squash(text)
        found, unwanted = sum(squash(each) in text for each in gold["with"]), sum(squash(each) in text for each in gold["without"])
        right, wrong = right + found, wrong + unwanted
        missing, absent = missing + len(gold["with"]) - found, absent + len(gold["without"]) - unwanted
    precision, recall = right / max(1, right + wrong), right / max(1, right + missing)
    return {"n": len(pairs), "F1": harmonic(precision, recall), "P": precision, "R": recall,
            "acc": (right + absent) / max(1, right + wrong + missing + absent)}


def title_score(known, found):
    known, found = normal(known), normal(found if isinstance(found, str) else None)
    words, others = collections.Counter(WORD.findall(known)), collections.Counter(WORD.findall(found))
    common = sum((words & others).values())
    loose = 2 * common / (sum(words.values()) + sum(others.values())) if common else 0.0
    return float(known == found and bool(found)), loose


def names(value):
    names_found = set()
    for each in [value] if isinstance(value, str) else value or ():
        whole = BY.sub("", normal(each).strip(AROUND_NAMES))
        names_found |= {BY.sub("", name).strip(AROUND_NAMES) for name in BETWEEN_NAMES.split(whole)}
    return {name for name in names_found if name}


def author_score(known, found):
    known, found = names(known), names(found if isinstance(found, (str, list)) else None)
    return float(known == found and bool(found)), float(bool(known & found))


def field_scores(rows, score, field):
    found = [score(case["gold"][field], answer.get(field)) for case, answer in rows if case["gold"].get(field)]
    if not found:
        return None
    return {"n": len(found), "exact": statistics.mean(each[0] for each in found),
            "loose": statistics.mean(each[1] for each in found)}


def no_author_scores(rows):
    """Pages of which a title is known and no author: the right answer is none."""
    found = [names(answer.get("author")) for case, answer in rows if "title" in case["gold"] and not case["gold"].get("author")]
    return {"n": len(found), "exact": sum(not each for each in found) / len(found)} if found else None


def day_scores(rows):
    found = [(day(answer.get("date")), case["gold"]["date"]) for case, answer in rows if case["gold"].get("date")]
    if not found:
        return None
    return {"n": len(found), "exact": sum(answer == known for answer, known in found) / len(found),
            "answered": sum(answer is not None for answer, _ in found) / len(found)}


def all_scores(results):
    """{name: {measure: value}} of (case, answer); what no case asks for is left out."""
    by_set = collections.defaultdict(list)
    for case, answer in results:
        by_set[case["set"]].append((case, answer))
    scores = {}
    for name in ("scrapinghub", "readability"):
        if by_set[name]:
            scores[name] = text_scores([(case["gold"].get("text", ""), answer.get("text") or "")
                                        for case, answer in by_set[name]])
    if by_set["trafilatura"]:
        scores["segments"] = segment_scores([(case["gold"], answer.get("text")) for case, answer in by_set["trafilatura"]])
    for name in ("trafilatura", "readability"):
        scores[f"title {name}"] = field_scores(by_set[name], title_score, "title")
        scores[f"author {name}"] = field_scores(by_set[name], author_score, "author")
    scores["author none"] = no_author_scores(by_set["trafilatura"])
    for name in ("trafilatura", "htmldate", "readability"):
        scores[f"date {name}"] = day_scores(by_set[name])
    return {name: found for name, found in scores.items() if found}
