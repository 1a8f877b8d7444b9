#!/usr/bin/env python3
"""Other readers, as servers of the protocol of extractor.py: extract.py trafilatura|readability-lxml|newspaper4k"""
import json
import logging
import sys

logging.disable(logging.CRITICAL)
BLOCKS = ("p div section article header footer h1 h2 h3 h4 h5 h6 li ul ol dl dt dd table tr td th blockquote pre figure "
          "figcaption br hr main aside").split()


def decode(data):
    from trafilatura.utils import decode_file
    return decode_file(data)


def trafilatura(data, url):
    from trafilatura import bare_extraction
    found = bare_extraction(data, url=url or None, include_comments=False, include_tables=True, include_formatting=False,
                            with_metadata=True)
    if found is None:
        return {}
    authors = found.author.split("; ") if found.author else None
    return {"title": found.title, "author": authors, "date": found.date, "text": found.text}


def text_of(fragment):
    """Text with a line feed before and behind each block."""
    import lxml.html
    tree = lxml.html.fromstring(fragment)
    for element in tree.iter(*BLOCKS):
        element.tail = "\n" + (element.tail or "")
        if element.tag != "br":
            element.text = "\n" + (element.text or "")
    return "".join(tree.itertext())


def readability(data, url):
    from readability import Document
    document = Document(decode(data), url=url or None)
    author = document.author() if hasattr(document, "author") else None
    return {"title": document.title(), "author": None if author == "[no-author]" else author, "date": None,
            "text": text_of(document.summary())}


def newspaper(data, url):
    import newspaper
    article = newspaper.Article(url or "http://localhost/", fetch_images=False)
    article.download(input_html=decode(data))
    article.parse()
    day = article.publish_date.strftime("%Y-%m-%d") if article.publish_date else None
    return {"title": article.title, "author": article.authors or None, "date": day, "text": article.text}


def main():
    extract = {"trafilatura": trafilatura, "readability-lxml": readability, "newspaper4k": newspaper}[sys.argv[1]]
    for request in map(json.loads, sys.stdin):
        try:
            with open(request["html"], "rb") as file:
                answer = extract(file.read(), request.get("url") or "")
        except Exception as error:  # A program that fails on a page has found nothing on it, whatever it was.
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()
