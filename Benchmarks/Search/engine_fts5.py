"""SQLite's FTS5, by apsw.

A table without contents, tokenizer unicode61 that removes accents, bm25 with weights 5, 3 and 1, optimised after the build
(within its time). Tags stand once more as words of their own in a fourth column. Each commit is synced.
"""
import os
import time

from records import seconds

MODULE = "apsw"
TABLES = """
CREATE TABLE docs(n INTEGER PRIMARY KEY, id TEXT UNIQUE, updated INT);
CREATE VIRTUAL TABLE f USING fts5(title, tags, text, tagkeys, content='', contentless_delete=1,
    tokenize="unicode61 remove_diacritics 2");
"""
INSERT = "INSERT INTO f(rowid, title, tags, text, tagkeys) VALUES(?, ?, ?, ?, ?)"
BEST = """SELECT (SELECT id FROM docs WHERE n = f.rowid) FROM f
    WHERE f MATCH ? AND rank MATCH 'bm25(5.0,3.0,1.0,0.0)' ORDER BY rank LIMIT 10"""
LATEST = "SELECT d.id FROM f CROSS JOIN docs d ON d.n = f.rowid WHERE f MATCH ? ORDER BY d.updated DESC LIMIT 10"
ALL = "SELECT d.id FROM f CROSS JOIN docs d ON d.n = f.rowid WHERE f MATCH ?"
DOCUMENTS_OF_A_TRANSACTION = 10000


def tag_word(tag):
    return "tgx" + "".join(c if c.isalnum() else "x" for c in tag.lower())


def columns(document):
    tags = document["tags"]
    return document["title"], " ".join(tags), document["text"], " ".join(map(tag_word, tags))


class FTS5:
    def connect(self, path):
        import apsw
        self.version = apsw.sqlite_lib_version()
        self.connection = apsw.Connection(os.path.join(path, "i.db"))
        self.execute = self.connection.execute

    def build(self, documents, path, threads):
        os.makedirs(path)
        self.connect(path)
        for setting in ("journal_mode=WAL", "synchronous=NORMAL", "cache_size=-65536"):
            self.execute("PRAGMA " + setting)
        self.execute(TABLES)
        self.execute("BEGIN")
        for number, document in enumerate(documents, 1):
            self.execute("INSERT INTO docs VALUES(?, ?, ?)", (number, document["id"], seconds(document["updatedAt"])))
            self.execute(INSERT, (number, *columns(document)))
            if number % DOCUMENTS_OF_A_TRANSACTION == 0:
                self.execute("COMMIT; BEGIN")
        self.execute("COMMIT")
        began = time.perf_counter()
        self.execute("INSERT INTO f(f) VALUES('optimize')")
        optimising = time.perf_counter() - began
        for step in ("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            self.execute(step)
        return {"optimize_s_included": round(optimising, 2), "sqlite": self.version}

    def open(self, path):
        self.connect(path)
        for setting in ("mmap_size=2000000000", "synchronous=FULL", "cache_size=-65536"):
            self.execute("PRAGMA " + setting)

    def match(self, query):
        parts = [f'"{term}"' for term in query["terms"]]
        if query["phrase"]:
            parts.append(f'"{query["phrase"]}"')
        parts += [f'"{word}"*' for word in query.get("bare", ())]
        if query["prefix"]:
            parts.append(f'"{query["prefix"]}"*')
        if query["tag"]:
            parts.append("tagkeys:" + tag_word(query["tag"]))
        return " AND ".join(parts)

    def search(self, query):
        statement = LATEST if query["sort"] == "recent" else BEST
        return [row[0] for row in self.execute(statement, (self.match(query),))]

    def all_ids(self, query):
        return [row[0] for row in self.execute(ALL, (self.match(query),))]

    def put(self, document):
        self.execute("BEGIN IMMEDIATE")
        for (number,) in self.execute("SELECT n FROM docs WHERE id = ?", (document["id"],)).fetchall():
            self.execute("DELETE FROM f WHERE rowid = ?", (number,))
            self.execute("DELETE FROM docs WHERE n = ?", (number,))
        self.execute("INSERT INTO docs(id, updated) VALUES(?, ?)", (document["id"], seconds(document["updatedAt"])))
        self.execute(INSERT, (self.connection.last_insert_rowid(), *columns(document)))

    def commit(self):
        self.execute("COMMIT")

    def close(self):
        self.connection.close()
