"""tantivy, by its Python package.

Each term is a union over title, tags and text with their boosts; a query is the conjunction of such unions; a tag is a raw
term that scores nothing. Its prefix query stops after 50 words of the dictionary: it is fast, and its answers are incomplete.
"""
import os

from records import seconds
from words import FIELDS, WEIGHTS

MODULE = "tantivy"
BUILD_HEAP, UPDATE_HEAP = 256_000_000, 64_000_000
EVERYTHING = 2_000_000


class Tantivy:
    def __init__(self):
        import tantivy
        self.tantivy = tantivy
        self.analyzer = None
        self.writer = None

    def schema(self):
        builder = self.tantivy.SchemaBuilder()
        for field in FIELDS:
            builder.add_text_field(field, tokenizer_name="fold", index_option="position")
        builder.add_text_field("id", stored=True, fast=False, tokenizer_name="raw", index_option="basic")
        builder.add_text_field("tag", tokenizer_name="raw", index_option="basic")
        builder.add_text_field("collection", tokenizer_name="raw", index_option="basic")
        builder.add_integer_field("updated", fast=True)
        return builder.build()

    def register(self, index):
        tantivy = self.tantivy
        builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        self.analyzer = builder.filter(tantivy.Filter.lowercase()).filter(tantivy.Filter.ascii_fold()).build()
        index.register_tokenizer("fold", self.analyzer)

    def document(self, document):
        entry = self.tantivy.Document(
            title=document["title"], tags=" ".join(document["tags"]), text=document["text"], id=document["id"],
            collection=document["collection"], updated=seconds(document["updatedAt"]))
        for tag in document["tags"]:
            entry.add_text("tag", tag)
        return entry

    def build(self, documents, path, threads):
        os.makedirs(path)
        index = self.tantivy.Index(self.schema(), path=path)
        self.register(index)
        writer = index.writer(heap_size=BUILD_HEAP * threads, num_threads=threads)
        for document in documents:
            writer.add_document(self.document(document))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return {"segments": index.searcher().num_segments}

    def open(self, path):
        self.index = self.tantivy.Index.open(path)
        self.register(self.index)
        self.fields = self.index.schema
        self.searcher = self.index.searcher()

    def over_fields(self, make):
        """One term in any of the fields."""
        query, occur = self.tantivy.Query, self.tantivy.Occur.Should
        return [(occur, make(field) if WEIGHTS[field] == 1 else query.boost_query(make(field), WEIGHTS[field]))
                for field in FIELDS]

    def term(self, word):
        return self.over_fields(lambda field: self.tantivy.Query.term_query(self.fields, field, word))

    def phrase(self, words):
        if len(words) == 1:
            return self.term(words[0])
        return self.over_fields(lambda field: self.tantivy.Query.phrase_query(self.fields, field, words))

    def prefix(self, word):
        return self.over_fields(lambda field: self.tantivy.Query.phrase_prefix_query(self.fields, field, [word]))

    def query(self, query):
        make, must = self.tantivy.Query, self.tantivy.Occur.Must
        parts = [self.term(word) for term in query["terms"] for word in self.analyzer.analyze(term)]
        if query["phrase"]:
            parts.append(self.phrase(self.analyzer.analyze(query["phrase"])))
        if query["prefix"]:
            parts.append(self.prefix(self.analyzer.analyze(query["prefix"])[0]))
        if len(parts) == 1 and not query["tag"]:
            return make.boolean_query(parts[0])
        clauses = [(must, make.boolean_query(part)) for part in parts]
        if query["tag"]:
            tag = make.term_query(self.fields, "tag", query["tag"], "basic")
            clauses.append((must, make.const_score_query(tag, 0.0)))
        return make.boolean_query(clauses)

    def hits(self, query):
        order = {"order_by_field": "updated"} if query["sort"] == "recent" else {}
        return self.searcher.search(self.query(query), limit=10, count=False, **order).hits

    def ids(self, hits):
        return [self.searcher.doc(address)["id"][0] for _, address in hits]

    def search(self, query):
        return self.ids(self.hits(query))

    def search_without_ids(self, query):
        """Without fetching the ten ids from the store of documents."""
        return self.hits(query)

    def all_ids(self, query):
        return self.ids(self.searcher.search(self.query(query), limit=EVERYTHING, count=False).hits)

    def put(self, document):
        if self.writer is None:
            self.writer = self.index.writer(heap_size=UPDATE_HEAP, num_threads=1)
        self.writer.delete_documents_by_term("id", document["id"])
        self.writer.add_document(self.document(document))

    def commit(self):
        self.writer.commit()
        self.index.reload()
        self.searcher = self.index.searcher()

    def close(self):
        pass
