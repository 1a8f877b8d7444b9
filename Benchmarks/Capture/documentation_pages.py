"""Fifty pages of installed documentation, five of each of ten generators, and the server that gives them.

Most are in Debian packages as their generator made them. Pages of man2html, Hugo and Jekyll are made here from manual pages and
Markdown files of packages. Scripts/capture-benchmark installs the packages.
"""
import gzip
import http.server
import os
import posixpath
import re
import subprocess
import threading
import urllib.parse

DOCUMENTS = "/usr/share/doc"
MADE = "/made"
TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png",
    ".gif": "image/gif", ".ico": "image/x-icon", ".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf",
    ".json": "application/json",
}
# Each generator: the element that holds a page's own text, then the pages.
PAGES = {
    "sphinx": ("[role=main]", [
        "python3.11/html/library/json.html", "python3.11/html/library/argparse.html", "python3.11/html/tutorial/classes.html",
        "python-jinja2-doc/html/templates.html", "python-jinja2-doc/html/api.html"]),
    "mkdocs": ("[role=main]", ["mkdocs/html/" + name for name in (
        "getting-started.html", "user-guide/configuration.html", "user-guide/cli.html", "dev-guide/themes.html",
        "about/release-notes.html")]),
    "mdbook": ("main", ["rust-doc/html/" + name for name in (
        "book/ch04-01-what-is-ownership.html", "book/ch04-03-slices.html", "reference/types/closure.html", "nomicon/ownership.html",
        "rust-by-example/hello.html")]),
    "rustdoc": ("main", ["rust-doc/html/std/" + name for name in (
        "vec/struct.Vec.html", "option/enum.Option.html", "iter/trait.Iterator.html", "macro.println.html", "string/index.html")]),
    "javadoc": ("main, .contentContainer", [
        *("libcommons-io-java/api/org/apache/commons/io/" + name for name in (
            "FileUtils.html", "IOUtils.html", "package-summary.html")),
        "libcommons-math3-java/api/org/apache/commons/math3/linear/RealMatrix.html",
        "libcommons-math3-java/api/org/apache/commons/math3/linear/package-summary.html"]),
    "doxygen": (".contents", ["libeigen3-dev/html/" + name for name in (
        "TopicLazyEvaluation.html", "classEigen_1_1Matrix.html", "group__QuickRefPage.html", "group__TopicAliasing.html",
        "group__TutorialMatrixClass.html")]),
    "docbook": ("body", [
        "/usr/share/debian-reference/ch01.en.html", "/usr/share/debian-reference/ch05.en.html",
        "/usr/share/debian-reference/ch09.en.html", "docbook-xsl-doc-html/doc/developer.html",
        "docbook-xsl-doc-html/doc/common/utility.html"]),
    "man2html": ("body", [f"{MADE}/man2html/{name}.html" for name in ("bash.1", "tar.1", "find.1", "ssh_config.5", "signal.7")]),
    "hugo": ("main", [f"{MADE}/hugo/{name}/" for name in ("display", "spacing", "brand", "code", "browser-bugs")]),
    "jekyll": ("main", [f"{MADE}/jekyll/{name}.html" for name in ("display", "spacing", "brand", "code", "browser-bugs")]),
}
MANUALS = {"bash.1": "man1", "tar.1": "man1", "find.1": "man1", "ssh_config.5": "man5", "signal.7": "man7"}
MARKDOWN = ["utilities/display.md", "utilities/spacing.md", "about/brand.md", "content/code.md", "browser-bugs.md"]
HUGO_LAYOUT = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }} | {{ .Site.Title }}</title>
<style>body{margin:0 auto;max-width:60rem;display:grid;grid-template-columns:12rem 1fr;gap:2rem;font:16px/1.6 sans-serif}
header{grid-column:1/3;position:sticky;top:0;background:#fff;border-bottom:1px solid}aside{position:sticky;top:3rem;align-self:start;max-height:80vh;overflow:auto}
pre{padding:1rem;overflow:auto}</style></head>
<body><header><a href="/">{{ .Site.Title }}</a></header><aside>{{ .TableOfContents }}</aside>
<main><h1>{{ .Title }}</h1><p>{{ .Description }}</p>{{ .Content }}</main></body></html>
"""


class Page:
    def __init__(self, generator, main, path):
        self.generator, self.main = generator, main
        self.path = path if path.startswith("/") else f"{DOCUMENTS}/{path}"
        self.name = re.sub(r"\W+", "-", "-".join(self.path.rstrip("/").split("/")[-2:]).removesuffix(".html"))


def pages():
    return [Page(generator, main, path) for generator, (main, paths) in PAGES.items() for path in paths]


def make(folder):
    """Runs man2html, Hugo and Jekyll in the folder."""
    make_manuals(os.path.join(folder, "man2html"))
    texts = {}
    for name in MARKDOWN:
        path = os.path.join(DOCUMENTS, "libjs-bootstrap4", name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        # The marks of templates are of another site. Its own page layout is not there either.
        text = re.sub(r"\{\{[<%].*?[%>]\}\}", "", text, flags=re.DOTALL).replace("{%", "").replace("{{", "")
        texts[os.path.basename(name).removesuffix(".md")] = re.sub(r"^(layout|aliases|toc|group):.*\n", "", text, flags=re.MULTILINE)
    make_hugo(os.path.join(folder, "hugo-source"), os.path.join(folder, "hugo"), texts)
    make_jekyll(os.path.join(folder, "jekyll-source"), os.path.join(folder, "jekyll"), texts)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_manuals(folder):
    for name, section in MANUALS.items():
        with gzip.open(f"/usr/share/man/{section}/{name}.gz") as file:
            made = subprocess.run(["man2html", "-"], input=file.read(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=True).stdout
        # Before the page are the header fields of a CGI program.
        write(os.path.join(folder, name + ".html"), made.split(b"\n\n", 1)[1].decode("utf-8", "replace"))


def make_hugo(source, out, texts):
    write(os.path.join(source, "config.toml"),
          'baseURL = "/"\ntitle = "Manual"\ndisableKinds = ["RSS", "sitemap", "taxonomy", "term"]\n')
    write(os.path.join(source, "layouts/_default/single.html"), HUGO_LAYOUT)
    write(os.path.join(source, "layouts/_default/list.html"), HUGO_LAYOUT)
    for name, text in texts.items():
        write(os.path.join(source, "content", name + ".md"), text)
    subprocess.run(["hugo", "--quiet", "-s", source, "-d", out], check=True)


def make_jekyll(source, out, texts):
    write(os.path.join(source, "_config.yml"), f'title: Manual\ntheme: minima\nbaseurl: "{MADE}/jekyll"\n')
    for name, text in texts.items():
        write(os.path.join(source, name + ".md"), text.replace("---\n", "---\nlayout: page\n", 1))
    subprocess.run(["jekyll", "build", "--quiet", "-s", source, "-d", out], check=True, cwd=source)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = posixpath.normpath(urllib.parse.unquote(self.path.split("?")[0]))
        file = None
        if path.startswith(MADE + "/"):
            file = self.server.folder + path[len(MADE):]
        elif path.startswith("/usr/share/"):
            file = path
        if file and os.path.isdir(file):
            file += "/index.html"
        if not file or not os.path.isfile(file):
            return self.answer(404, "text/plain", b"not found")
        with open(file, "rb") as opened:
            return self.answer(200, TYPES.get(os.path.splitext(file)[1], "application/octet-stream"), opened.read())

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


def serve(folder):
    """Serves /usr/share and what was made on 127.0.0.1, in threads of this process; returns the origin."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.folder = True, folder
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"
