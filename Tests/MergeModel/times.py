"""Times as files spell them (FORMAT.md § 5.8), and as the model counts them: milliseconds since 1970."""

import datetime
import functools
import re

PATTERN = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([Zz])|([+-])(\d\d):(\d\d)))?", re.ASCII)
EPOCH = datetime.date(1970, 1, 1).toordinal()
LATEST = 253_402_300_799_999


@functools.lru_cache(maxsize=100_000)
def _parse(text):
    match = PATTERN.fullmatch(text)
    if not match:
        return None
    year, month, day = (int(part) for part in match.groups()[:3])
    try:
        days = datetime.date(max(year, 1), month, day).toordinal() - EPOCH
    except ValueError:
        return None
    if match[4] is None:
        return days * 86_400_000      # a date alone: midnight in UTC, because devices must agree
    hour, minute, second = int(match[4]), int(match[5]), int(match[6])
    east = (-1 if match[9] == "-" else 1) * (int(match[10]) * 60 + int(match[11])) if match[9] else 0
    if hour > 23 or minute > 59 or second > 60 or (match[9] and (int(match[10]) > 23 or int(match[11]) > 59)):
        return None
    return ((days * 1440 + hour * 60 + minute - east) * 60 + second) * 1000 + int(((match[7] or "") + "000")[:3])


def instant(value):
    """Milliseconds since 1970, or None for what is no time."""
    if isinstance(value, str):
        return _parse(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def spelt(milliseconds):
    """As a writer writes it."""
    milliseconds = min(milliseconds, LATEST)
    seconds, rest = divmod(milliseconds, 1000)
    time = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    return "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ" % (time.year, time.month, time.day, time.hour, time.minute, time.second, rest)


def like(milliseconds, *examples):
    """Spelt as a file spells it, where one of the examples is."""
    return spelt(milliseconds) if any(isinstance(example, str) for example in examples) else milliseconds
