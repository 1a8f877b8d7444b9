"""Bytes of JSON and their hashes, each computed once."""

import functools
import hashlib
import json


def encode(value):
    """Canonical JSON of FORMAT.md § 5.2, for values without odd numbers and lone surrogates."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").replace("\x7f", "\\u007f").encode()


@functools.lru_cache(maxsize=200_000)
def _decode(data):
    try:
        value = json.loads(data)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def decode(data):
    """The object in the bytes, or None where they are no JSON object. The caller must not change it."""
    return _decode(data)


@functools.lru_cache(maxsize=200_000)
def sha(data):
    """SHA-256 in lower-case hexadecimal."""
    digest = hashlib.sha256(data).hexdigest()
    SIZES[digest] = len(data)
    return digest


SIZES = {}


def size(digest):
    """The number of bytes of what was hashed."""
    return SIZES[digest]
