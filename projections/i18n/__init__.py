"""Translation: catalogues by their English texts, the languages there are, and sentences with slots."""
