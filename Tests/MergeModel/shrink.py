"""Makes a failing script short: steps are left out as long as it fails in the same way."""


def shrink(ops, fails, limit=400):
    """The shortest script found with at most `limit` tries. `fails` tells whether a script still fails."""
    size = max(1, len(ops) // 2)
    tries = 0
    while size >= 1 and tries < limit:
        at, shorter = 0, False
        while at < len(ops) and tries < limit:
            less = ops[:at] + ops[at + size:]
            tries += 1
            if fails(less):
                ops, shorter = less, True
            else:
                at += size
        if not shorter or size > 1:
            size = size // 2 if not shorter or size > 1 else size
    return ops
