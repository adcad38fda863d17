"""The errors of this package.

HeraldError
+- Refused
+- Closed
+- Broken
+- BadLink
"""


class HeraldError(Exception):
    """The base of the errors that this package raises."""


class Refused(HeraldError):
    """The server did not carry out the request; nothing has changed.

    `code` is stable (docs/clients.md lists all), `why` a sentence for people, `rule` a rule's id or empty, `id` the
    message's own.
    """

    def __init__(self, code: str, why: str, rule: str = "", id: str = "") -> None:  # noqa: A002 - the wire's name
        super().__init__(f"{code}: {why}")
        self.code, self.why, self.rule, self.id = code, why, rule, id


class Closed(HeraldError):
    """The connection is closed for good; `code` is the socket's, 0 if there was none."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code, self.why = code, why


class Broken(HeraldError):
    """The record is wrong from line `seq` on; nothing after it is believed."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"line {seq}: {why}")
        self.seq, self.why = seq, why


class BadLink(HeraldError, ValueError):
    """An address that is no link to a match, or a key in it that is incomplete."""
