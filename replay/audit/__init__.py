"""Audits of records: whether a record is complete and follows its rules, and whether nobody could choose its dice."""
