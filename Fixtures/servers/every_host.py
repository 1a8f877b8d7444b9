"""An HTTP proxy that is the server of every host itself, for http and for https: so a test decides what a.test or evil.co.uk say.

  every_host.py FOLDER     FOLDER is made; FOLDER/ca.pem is its authority. The port is written to standard output when it listens.

What it answers depends on the path: /page has images, /set sets cookies and redirects, everything else is a small picture.
Each request is a line of FOLDER/log: scheme, host, path and the field Cookie.
"""
import os
import socket
import ssl
import subprocess
import sys
import threading

GIF = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
HOSTS = ["a.test", "b.a.test", "other.test", "www.shop.co.uk", "img.shop.co.uk", "evil.co.uk"]
IMAGES = ["http://a.test/plain.gif", "https://b.a.test/below.gif", "https://other.test/other.gif", "https://www.shop.co.uk/set"]
ARTICLE = "<p>Stones lie in the river, and the water wears them down, year by year, as it always has.</p>" * 8

folder = sys.argv[1]
os.makedirs(folder)


def certificates():
    def run(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    names = ",".join("DNS:" + host for host in HOSTS)
    run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "key.pem", "-out", "ca.pem",
        "-days", "30", "-subj", "/CN=every host", "-addext", "subjectAltName=" + names)


def answer(host, path):
    if path == "/page":
        images = "".join('<img src="%s">' % url for url in IMAGES)
        body = ("<!doctype html><title>Stones</title><article><h1>Stones</h1>%s%s</article>" % (ARTICLE, images)).encode()
        return "200 OK", ["Content-Type: text/html"], body
    if path == "/set":
        return "302 Found", ["Set-Cookie: shop=1; Domain=shop.co.uk; Secure", "Set-Cookie: all=1; Domain=co.uk",
                             "Location: https://img.shop.co.uk/next"], b""
    if path == "/next":
        return "302 Found", ["Location: https://evil.co.uk/last.gif"], b""
    return "200 OK", ["Content-Type: image/gif"], GIF


def serve(connection, scheme, host):
    stream = connection.makefile("rb")
    while True:
        line = stream.readline().split()
        if len(line) < 2:
            return
        fields = {}
        while True:
            field = stream.readline().decode("latin-1").strip()
            if not field:
                break
            name, _, value = field.partition(":")
            fields[name.lower()] = value.strip()
        target = line[1].decode("latin-1")
        if line[0] == b"CONNECT":
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            return serve(context.wrap_socket(connection, server_side=True), "https", target.rsplit(":", 1)[0])
        if "://" in target:
            host, _, rest = target.split("://", 1)[1].partition("/")
            target = "/" + rest
        with lock, open(folder + "/log", "a") as log:
            log.write(" ".join([scheme, host, target, fields.get("cookie", "-")]) + "\n")
        status, lines, body = answer(host, target)
        head = "\r\n".join(["HTTP/1.1 " + status, *lines, "Content-Length: %d" % len(body), "", ""])
        connection.sendall(head.encode() + body)


def guard(connection):
    try:
        serve(connection, "http", "")
    except OSError:
        pass


certificates()
lock = threading.Lock()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder + "/ca.pem", folder + "/key.pem")
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=guard, args=(listener.accept()[0],), daemon=True).start()
