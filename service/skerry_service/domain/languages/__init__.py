"""The sentences of the service: a folder of catalogues for each language, beside those of the games."""
