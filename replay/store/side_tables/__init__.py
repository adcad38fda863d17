"""What lies beside the records in a store: words, presence, analyses, webhooks, contests."""
