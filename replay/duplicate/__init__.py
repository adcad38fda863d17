"""Duplicate events, with one deal at many tables: the plan, the results, and the check of both."""
