"""What one edit of a script wrote, replaced and removed."""


class Edit:
    """One logical change. Each value that it writes is a token that occurs nowhere else."""

    def __init__(self, kind, item, token=None, replaced=(), removed=()):
        self.kind, self.item, self.token = kind, item, token
        self.replaced, self.removed = list(replaced), list(removed)
        self.is_seen = True
