"""Title and text of a page of HTML, a Mallard page or a manual page. Needs selectolax and mandoc."""
import gzip
import html
import os
import re
import subprocess

UNSEEN = ["script", "style", "nav", "noscript", "template", "svg", "head"]


def squash(text):
    """One space for blanks, one line feed for lines with blanks around them."""
    lines = re.sub(r"\s*\n\s*", "\n", text)
    return re.sub(r"[ \t\r\f\v\u00a0]+", " ", lines).strip()


def of_html(data):
    from selectolax.lexbor import LexborHTMLParser
    tree = LexborHTMLParser(data)
    element = tree.css_first("title")
    title = element.text() if element is not None else ""
    if not title.strip():
        element = tree.css_first("h1")
        title = element.text() if element is not None else ""
    tree.strip_tags(UNSEEN)
    return title, tree.body.text(separator=" ") if tree.body is not None else ""


def of_mallard(data):
    source = data.decode("utf-8", "replace")

    def plain(markup):
        without = re.sub(r"<!--.*?-->|<info>.*?</info>", " ", markup, flags=re.S)
        return html.unescape(re.sub(r"<[^>]+>", " ", without))
    title = re.search(r"<title[^>]*>(.*?)</title>", source, re.S)
    return (plain(title.group(1)) if title else ""), plain(source)


def of_manual(path):
    with (gzip.open(path) if path.endswith(".gz") else open(path, "rb")) as file:
        source = file.read()
    if source.startswith(b".so "):
        return "", ""
    formatted = subprocess.run(
        ["mandoc", "-K", "utf-8", "-T", "utf8", "-O", "width=200"], input=source, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout.decode("utf-8", "replace")
    lines = [line.strip() for line in re.sub(".\x08", "", formatted).splitlines() if line.strip()]
    name, _, section = os.path.basename(path).replace(".gz", "").rpartition(".")
    description = lines[2] if len(lines) > 2 else ""
    return f"{name}({section}) {description}"[:160], "\n".join(lines)


def of_file(path, kind):
    """The squashed title and text; the title is the file's name if there is none."""
    if kind == "man":
        title, text = of_manual(path)
    else:
        with open(path, "rb") as file:
            data = file.read()
        title, text = of_html(data) if kind == "html" else of_mallard(data)
    text = squash(text.encode("utf-8", "replace").decode("utf-8"))
    title = squash(title).replace("\n", " ")[:200]
    return title or os.path.basename(path), text
