"""What a version records of an item or of a small file."""

import functools
from typing import NamedTuple

import canonical
import times

PAGE, DOCUMENT = "page.html", "document/plan.txt"


class Content(NamedTuple):
    """The bytes of item.json and text.md, and the hashes of the page and the document. None where there is none.

    A small file has only the first.
    """

    item: bytes
    text: bytes | None = None
    page: str | None = None
    document: str | None = None

    @property
    def fields(self):
        return canonical.decode(self.item)

    @property
    def updated(self):
        """updatedAt in milliseconds since 1970."""
        return times.instant(self.fields.get("updatedAt")) or 0

    def key(self):
        return _key(self)


@functools.lru_cache(maxsize=200_000)
def _key(content):
    """A name of the content; equal for equal content alone."""
    return canonical.sha(repr(tuple(content)).encode())


COMPONENTS = Content._fields
NOTHING = Content(b"{}\n")
