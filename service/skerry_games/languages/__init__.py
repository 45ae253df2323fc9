"""Languages of sentences. A language is a folder of catalogues in a subset of Project Fluent's syntax (``fluent``)."""
