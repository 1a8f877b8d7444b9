#!/usr/bin/env python3
"""Makes a corpus of real text from the documentation packages of Debian 12.

  make_corpus.py --work DIR --documents N --out FILE [--packages FILE] [--sections CHARACTERS]

Downloads the packages with "apt-get download", unpacks them into DIR (nothing is installed), takes the text of every page of
HTML, Mallard page and manual page into DIR/pool-*.jsonl, and writes the first N documents. What is there is not made again.

Documents stand in the order of the sha1 of their path, so that a smaller corpus is the beginning of a larger one and a fair
sample of the packages. Texts of fewer than 200 characters and texts that were seen before are left out, longer ones than
40,000 are split at white space, and a cap keeps a few API references from taking over. With --sections every document is split
into pieces of about that many characters, without caps: so 1,000,000 documents are reached.

A document is a JSON object: id, title, tags, collection, type, source, createdAt, updatedAt, text, and html_path below DIR.
Tags come from paths and titles. Dates are made up from a hash. Needs selectolax (PyPI) and mandoc.
"""
import argparse
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import uuid

import page_text

HERE = os.path.dirname(os.path.abspath(__file__))
NAMESPACE = uuid.UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
LEAST_CHARACTERS, MOST_CHARACTERS, LEAST_OF_A_SECTION = 200, 40000, 80
LARGEST_HTML_BYTES = 3_000_000
DOCUMENTS_OF_A_PACKAGE = {
    "rust-doc": 12000, "lazarus-doc-2.2": 4000, "petsc3.18-doc": 4000, "libgtk-4-doc": 6000, "gnome-user-docs": 12000,
}
LANGUAGE = re.compile(
    r"/(?:help|man|HTML|html|doc)/([a-z]{2}(?:[_-][A-Za-z]{2,4})?)/|\.([a-z]{2}(?:[-_][A-Za-z]{2})?)\.html$")
# Packages of several languages that belong to one collection.
FAMILY = re.compile(
    r"^(manpages|libreoffice-help|gimp-help|debian-reference|debian-faq|developers-reference|aptitude-doc).*$")
TOPICS = (
    "reference guide tutorial faq api class module function install config network shared stdlib core text image math string "
    "file system kernel driver admin security build test intro release howto examples").split()
YEAR = 365 * 86400


def say(text):
    print(text, file=sys.stderr, flush=True)


def fetch(work, packages):
    """Downloads and unpacks what is missing; returns the folder of the unpacked packages."""
    archives, unpacked = os.path.join(work, "debs"), os.path.join(work, "pk")
    os.makedirs(archives, exist_ok=True)
    os.makedirs(unpacked, exist_ok=True)
    present = {name.split("_")[0] for name in os.listdir(archives)}
    missing = [package for package in packages if package not in present]
    for start in range(0, len(missing), 20):
        group = missing[start:start + 20]
        say(f"downloading {' '.join(group)}")
        done = subprocess.run(["apt-get", "-qq", "download", *group], cwd=archives, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"apt-get could not download the packages: {done.stderr.strip()}\n"
                     "They are those of Debian 12; with another system give --packages FILE, one name a line.")
    for archive in sorted(os.listdir(archives)):
        package = archive.split("_")[0]
        folder = os.path.join(unpacked, package)
        if package in packages and not os.path.isdir(folder):
            subprocess.run(["dpkg", "-x", os.path.join(archives, archive), folder + ".partial"], check=True)
            os.rename(folder + ".partial", folder)
    return unpacked


def pages(unpacked, packages):
    """(path below the folder, kind, package) of each page."""
    for package in packages:
        for folder, _, names in os.walk(os.path.join(unpacked, package)):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.islink(path):
                    continue
                relative = os.path.relpath(path, unpacked)
                if name.endswith((".html", ".htm", ".xhtml")):
                    if os.path.getsize(path) <= LARGEST_HTML_BYTES:
                        yield relative, "html", package
                elif name.endswith(".page"):
                    yield relative, "page", package
                elif "/man/" in folder and re.search(r"\.[0-9][a-z]*(\.gz)?$", name):
                    yield relative, "man", package


def make_pool(work, packages):
    """All texts in their order, one JSON object a line; returns the file."""
    key = hashlib.sha1("\n".join(packages).encode()).hexdigest()[:10]
    pool = os.path.join(work, f"pool-{key}.jsonl")
    if os.path.exists(pool):
        return pool
    unpacked = fetch(work, packages)
    found = sorted(pages(unpacked, packages), key=lambda page: hashlib.sha1(page[0].encode()).digest())
    say(f"taking the text of {len(found)} pages")
    seen, unread = set(), 0
    with open(pool + ".partial", "w", encoding="utf-8") as file:
        for relative, kind, package in found:
            try:
                title, text = page_text.of_file(os.path.join(unpacked, relative), kind)
            except (OSError, EOFError, ValueError) as error:
                unread += 1
                say(f"cannot be read: {relative}: {error}")
                continue
            digest = hashlib.sha1(text.encode()).digest()[:12]
            if len(text) < LEAST_CHARACTERS or digest in seen:
                continue
            seen.add(digest)
            entry = {"rel": relative, "kind": kind, "pkg": package, "title": title, "text": text}
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            if len(seen) % 20000 == 0:
                say(f"{len(seen)} texts")
    say(f"{len(seen)} texts, {unread} pages could not be read")
    os.rename(pool + ".partial", pool)
    return pool


def tags_of(path, package, title):
    """Language, package, up to three topics, and the last folder."""
    match = LANGUAGE.search("/" + path)
    language = (match.group(1) or match.group(2)).lower().replace("_", "-") if match else "en"
    tags = ["lang-" + language, re.sub(r"[0-9.]+$|-doc.*$", "", package).rstrip("-")]
    lower = (path + " " + title).lower()
    tags += [topic for topic in TOPICS if topic in lower][:3]
    folders = [re.sub(r"[^a-z0-9]+", "-", folder.lower()).strip("-") for folder in path.split("/")[4:-1]]
    folders = [folder for folder in folders if 3 <= len(folder) <= 20]
    return [tag for tag in dict.fromkeys(tags + folders[-1:]) if tag]


def dates_of(key):
    """Made up, and independent of the order of documents, which is that of another hash."""
    digest = hashlib.sha1(b"t" + key.encode()).digest()
    created = datetime.datetime(2012, 1, 1) + datetime.timedelta(seconds=int.from_bytes(digest[:4], "big") % (14 * YEAR))
    later = int.from_bytes(digest[4:8], "big") % (300 * 86400) if digest[8] & 1 else 0
    return [instant.strftime("%Y-%m-%dT%H:%M:%SZ") for instant in (created, created + datetime.timedelta(seconds=later))]


def record(entry, part, text):
    path, package, title = entry["rel"], entry["pkg"], entry["title"]
    key = path + (f"#{part}" if part else "")
    created, updated = dates_of(key)
    return {
        "id": str(uuid.uuid5(NAMESPACE, key)), "title": title + (f" ({part + 1})" if part else ""),
        "tags": tags_of(path, package, title), "collection": FAMILY.sub(r"\1", package), "type": "link",
        "source": f"https://packages.debian.org/bookworm/{path}", "createdAt": created, "updatedAt": updated, "text": text,
        "html_path": "pk/" + path if entry["kind"] == "html" else "",
    }


def split(text, size):
    """Pieces of at most `size` characters, cut in their second half at a line's end, a sentence's end or a space."""
    start, length = 0, len(text)
    while start < length:
        end, half = min(length, start + size), start + size // 2
        if end < length:
            cut = max(text.rfind("\n", half, end), text.rfind(". ", half, end) + 1, start)
            if cut <= start:
                cut = text.rfind(" ", half, end)
            end = cut if cut > start else end
        piece = text[start:end].strip()
        if piece:
            yield piece
        start = end


def records(pool, sections):
    """All records in their order."""
    counts = {}
    with open(pool, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            package = entry["pkg"]
            if not sections:
                if counts.get(package, 0) >= DOCUMENTS_OF_A_PACKAGE.get(package, 1 << 60):
                    continue
                counts[package] = counts.get(package, 0) + 1
            for part, text in enumerate(split(entry["text"], sections or MOST_CHARACTERS)):
                if len(text) >= (LEAST_OF_A_SECTION if sections else LEAST_CHARACTERS):
                    yield record(entry, part, text)


def make_corpus(work, packages, count, out, sections=0):
    """Writes the corpus; fails if the packages do not hold so many documents."""
    written = characters = 0
    pool = make_pool(work, packages)
    with open(out + ".partial", "w", encoding="utf-8") as file:
        for each in records(pool, sections):
            file.write(json.dumps(each, ensure_ascii=False) + "\n")
            written, characters = written + 1, characters + len(each["text"])
            if written == count:
                break
    if written < count:
        os.unlink(out + ".partial")
        sys.exit(f"the packages hold {written} documents, not {count}; give --packages {HERE}/packages.txt, or --sections")
    os.rename(out + ".partial", out)
    say(f"{out}: {written} documents, {characters / 1e6:.1f} million characters")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True, help="all packages take about 7 GB")
    parser.add_argument("--documents", type=int, required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--packages", default=os.path.join(HERE, "packages.txt"), help="a file with one name a line")
    parser.add_argument("--sections", type=int, default=0)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    with open(options.packages, encoding="utf-8") as file:
        packages = file.read().split()
    make_corpus(options.work, packages, options.documents, options.out, options.sections)


if __name__ == "__main__":
    main()
