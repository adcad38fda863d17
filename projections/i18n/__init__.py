"""Translation: catalogues of texts keyed by English, the languages of Herald, and templates of sentences."""
