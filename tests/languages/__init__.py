"""Languages: catalogues, German grammar, and sentences of whole games."""
