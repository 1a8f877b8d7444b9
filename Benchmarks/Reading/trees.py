"""Boosted trees over blocks: training with scikit-learn, and the table that Sources/Reader/Blocks/BlockModel.swift reads."""
import struct

import numpy
from sklearn.ensemble import HistGradientBoostingClassifier

TREES, LEAVES, RATE, BINS = 120, 31, 0.09, 64
# The share of features that a split may choose from. Trees that differ err less together.
CHOICE = 0.15
FEWEST, RIDGE = 40, 1.0
# At most so many blocks of a page, chosen by chance, stand for all: long pages are much the same throughout.
MOST_BLOCKS = 150
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


def train(cases):
    features, labels, own = [], [], []
    choose = numpy.random.default_rng(1)
    for case in cases:
        if case["set"] not in TRAINING_SETS or not case["texts"]:
            continue
        known, values, weight = weights(case)
        if known.any():
            places = numpy.nonzero(known)[0]
            if len(places) > MOST_BLOCKS:
                weight = weight * len(places) / MOST_BLOCKS
                places = numpy.sort(choose.choice(places, MOST_BLOCKS, replace=False))
            features.append(case["features"][places])
            labels.append(values[places] >= 0.5)
            own.append(weight[places])
    own = numpy.concatenate(own)
    model = HistGradientBoostingClassifier(
        max_iter=TREES, max_leaf_nodes=LEAVES, learning_rate=RATE, max_bins=BINS, early_stopping=False,
        min_samples_leaf=FEWEST, l2_regularization=RIDGE, max_features=CHOICE, random_state=1)
    return model.fit(numpy.concatenate(features), numpy.concatenate(labels), sample_weight=own / own.mean())


def table(model, feature_count):
    """The bytes of a model, each below 0x80."""
    trees = [predictor[0].nodes for predictor in model._predictors]
    used = [set() for _ in range(feature_count)]
    for nodes in trees:
        for node in nodes:
            if not node["is_leaf"]:
                used[node["feature_idx"]].add(rounded(node["num_threshold"]))
    places = [{value: place for place, value in enumerate(sorted(values))} for values in used]
    out = bytearray()

    def pair(number):
        assert 0 <= number < 1 << 14, number
        out.extend((number & 0x7F, number >> 7))

    def value(number):
        pair(max(0, min(LEAF, round(float(number) * 1024) + 8192)))

    pair(feature_count)
    pair(len(trees))
    value(model._baseline_prediction.ravel()[0])
    for found in places:
        out.append(len(found))
        for bits in found:
            pair(bits & 0x3FFF)
            out.append(bits >> 14)

    def size(nodes, at):
        node = nodes[at]
        return 1 if node["is_leaf"] else 1 + size(nodes, node["left"]) + size(nodes, node["right"])

    def write(nodes, at):
        node = nodes[at]
        if node["is_leaf"]:
            pair(LEAF)
            value(node["value"])
            return
        feature = node["feature_idx"]
        pair(feature)
        out.append(places[feature][rounded(node["num_threshold"])])
        out.append(1 + size(nodes, node["left"]))
        write(nodes, node["left"])
        write(nodes, node["right"])

    for nodes in trees:
        out.append(size(nodes, 0))
        write(nodes, 0)
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
