"""Pictures and pages of the torture site that are made when they are asked for."""
import hashlib
import random
import re
import struct
import zlib

# RRGGBB-WIDTHxHEIGHT in a URL is a picture of that colour and size.
PICTURE = re.compile(r"([0-9a-f]{6})-(\d+)x(\d+)")
LARGEST_SIDE = 4000
PARTS, PICTURE_EVERY = 3000, 12
WORDS = "lorem ipsum dolor sit amet river stone cloud".split()


def digest(url):
    return hashlib.sha256(url.encode()).hexdigest()


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(colour, width, height, url):
    """A picture with a darker frame, so that scaling shows; a comment makes the bytes of each URL different."""
    width, height = min(int(width), LARGEST_SIDE), min(int(height), LARGEST_SIDE)
    inner = bytes.fromhex(colour)
    frame = bytes(max(0, value - 70) for value in inner)
    rows = []
    for y in range(height):
        if y < 4 or y >= height - 4:
            rows.append(b"\0" + frame * width)
        else:
            rows.append(b"\0" + frame * min(4, width) + inner * max(0, width - 8) + frame * min(4, max(0, width - 4)))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"tEXt", b"Comment\0" + digest(url).encode())
            + png_chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + png_chunk(b"IEND", b""))


def svg(colour, width, height, url):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><!-- {digest(url)} -->'
            f'<rect width="100%" height="100%" fill="#{colour}"/></svg>').encode()


def picture(url, decoded, is_svg):
    """The picture that a URL asks for, or None."""
    match = PICTURE.search(url)
    if not match:
        return None
    return (svg if is_svg else png)(*match.groups(), decoded)


def big_page():
    """A page of 3.5 MB with 250 pictures; its words are drawn with a seed, so it is always the same."""
    choose = random.Random(1)
    parts = ['<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">\n<title>Case big-page</title>\n\n</head>\n<body>',
             "<h1>4 MB page with 250 images</h1>"]
    for number in range(PARTS):
        text = " ".join(choose.choices(WORDS, k=200))
        parts.append(f"<section><h3>Part {number}</h3><p>{text}</p></section>")
        if number % PICTURE_EVERY == 0:
            colour = bytes((number % 256, number * 7 % 256, number * 13 % 256)).hex()
            parts.append(f'<img src="big{number}-{colour}-64x64.png" width="64" height="64" alt="">')
    return "\n".join(parts + ["</body>\n</html>\n"]).encode()
