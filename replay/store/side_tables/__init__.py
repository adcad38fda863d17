"""The side tables of a store, beside the records: words, presence, analyses, webhooks, contests, rated results."""
