"""Boosted trees over blocks: training with LightGBM, and the table that Sources/Reader/Blocks/BlockModel.swift reads."""
import struct

import lightgbm
import numpy

# Trees of each of the two parts of a training.
TREES = 120
# The share of features that a split may choose from. Trees that differ err less together.
CHOICE = 0.15
SETTINGS = {
    "objective": "binary", "num_leaves": 31, "learning_rate": 0.09, "max_bin": 63, "min_data_in_leaf": 40, "lambda_l2": 1.0,
    "feature_fraction_bynode": CHOICE, "num_threads": 1, "deterministic": True, "force_row_wise": True, "verbose": -1}
# At most so many blocks of a page, chosen by chance, stand for all: long pages are much the same throughout.
MOST_BLOCKS = 150
# Words added to a page's, so that pages with few do not weigh too much.
FEW_WORDS = 30
LEAF = 16383
# Sets whose labels are people's. That of Readability records a program.
TRAINING_SETS = ("wcxb", "scrapinghub", "trafilatura")


def rounded(value, up=True):
    """A float with 21 bits. Up, so that a value equal to a threshold stays on its side."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    kept = bits >> 11
    if bits & 0x7FF and (value > 0) == up:
        kept += 1
    return kept


def weights(case):
    """A block weighs by its words, less in a page with many, so that every page counts about as much."""
    counts, labels = case["words"], case["labels"]
    known = numpy.array([label is not None for label in labels])
    values = numpy.array([label or 0 for label in labels])
    if case["set"] == "trafilatura":
        own = 0.7 * counts / (counts[known].sum() + 30)
    else:
        own = counts / (0.5 * counts.sum() + 0.5 * (counts * values).sum() + 30)
    # There are few pages of this set, and people wrote down their texts most carefully.
    if case["set"] == "scrapinghub":
        own = 2 * own
    return known, values, numpy.minimum(own, 0.25) + 1e-4


def train(cases, seed=1):
    """Two models whose sums are added: one of single blocks, and one that corrects it for the agreement of whole pages."""
    features, labels, own, words, pages, texts = [], [], [], [], [], []
    choose = numpy.random.default_rng(seed)
    for case in cases:
        if case["set"] not in TRAINING_SETS or not case["texts"]:
            continue
        known, values, weight = weights(case)
        if known.any():
            places = numpy.nonzero(known)[0]
            share = 1.0
            if len(places) > MOST_BLOCKS:
                share = len(places) / MOST_BLOCKS
                places = numpy.sort(choose.choice(places, MOST_BLOCKS, replace=False))
            features.append(case["features"][places])
            labels.append(values[places] >= 0.5)
            own.append(weight[places] * share)
            words.append(case["words"][places] * share)
            pages.append(numpy.full(len(places), len(texts)))
            # Of this set, the texts of a few blocks are known, not that of a page.
            texts.append(case["set"] != "trafilatura")
    features, labels = numpy.concatenate(features), numpy.concatenate(labels).astype(float)
    own = numpy.concatenate(own)
    own /= own.mean()
    settings = {**SETTINGS, "seed": seed}
    single = lightgbm.train(settings, lightgbm.Dataset(features, labels, weight=own), TREES)
    settings["seed"] = seed + 100
    settings["objective"] = agreement(labels, own, numpy.concatenate(words), numpy.concatenate(pages), numpy.array(texts))
    start = single.predict(features, raw_score=True)
    return single, lightgbm.train(settings, lightgbm.Dataset(features, labels, init_score=start), TREES)


def agreement(labels, own, words, pages, texts):
    """The objective of pages: twice the words that are right, over the words taken and those of the known text, where a block is
    taken by its probability. Pages without a known text keep the objective of blocks."""
    right = labels * words
    known = numpy.bincount(pages, right)
    judged = (texts & (known > 0))[pages]
    scale = len(labels) / len(known)

    def slopes(sums, _):
        taken = 1 / (1 + numpy.exp(-sums))
        doubt = numpy.maximum(taken * (1 - taken), 1e-3)
        total = (numpy.bincount(pages, taken * words) + known + FEW_WORDS)[pages]
        agreed = numpy.bincount(pages, taken * right)[pages]
        first = 2 * words * (agreed - labels * total) / total ** 2 * doubt * scale
        second = words / total * doubt * scale
        return (numpy.where(judged, first, own * (taken - labels)),
                numpy.where(judged, second, own * doubt) + 1e-6)

    return slopes


def table(models, feature_count):
    """The bytes of models whose sums are added, each below 0x80."""
    trees = [tree["tree_structure"] for model in models for tree in model.dump_model()["tree_info"]]
    used = [set() for _ in range(feature_count)]

    def note(node):
        if "split_feature" in node:
            used[node["split_feature"]].add(rounded(node["threshold"]))
            note(node["left_child"])
            note(node["right_child"])

    for tree in trees:
        note(tree)
    places = [{value: place for place, value in enumerate(sorted(values))} for values in used]
    out = bytearray()

    def pair(number):
        assert 0 <= number < 1 << 14, number
        out.extend((number & 0x7F, number >> 7))

    def value(number):
        pair(max(0, min(LEAF, round(float(number) * 1024) + 8192)))

    pair(feature_count)
    pair(len(trees))
    # The first tree holds the start value.
    value(0)
    for found in places:
        out.append(len(found))
        for bits in found:
            pair(bits & 0x3FFF)
            out.append(bits >> 14)

    def size(node):
        return 1 + size(node["left_child"]) + size(node["right_child"]) if "split_feature" in node else 1

    def write(node):
        if "split_feature" not in node:
            pair(LEAF)
            value(node["leaf_value"])
            return
        feature = node["split_feature"]
        pair(feature)
        out.append(places[feature][rounded(node["threshold"])])
        out.append(1 + size(node["left_child"]))
        write(node["left_child"])
        write(node["right_child"])

    for tree in trees:
        out.append(size(tree))
        write(tree)
    assert max(out) < 0x80
    return bytes(out)


def swift(data, about):
    """The source of the generated table."""
    lines, line = [], ""
    for byte in data:
        text = "\\0" if byte == 0 else f"\\u{{{byte:X}}}" if byte < 0x20 or byte == 0x7F else chr(byte)
        text = "\\" + text if text in '"\\' else text
        if len(line) + len(text) > 108:
            lines.append(line)
            line = ""
        line += text
    lines.append(line)
    body = "".join(f"        {each}\\\n" for each in lines)
    return (f"// Made by Scripts/train-reader from {about}; not edited by hand.\n\n"
            "/// The model of main text; `BlockModel` reads it.\n"
            "///\n/// A string literal of bytes below 0x80, because such a literal is in the program file unchanged.\n"
            f'enum BlockModelTable {{\n    static let bytes: StaticString = """\n{body}\n        """\n}}\n')
