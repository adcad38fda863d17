"""A server's statement beside the record is a text under its key, and under no other (docs/record.md 5)."""

from replay.record import sealing, statements
from tests.replay.record.stating import PUBLIC, sign


def test_a_statement_names_the_key_that_signed_it() -> None:
    text = statements.said(statements.CHANCE, "A" * 22, 5, {"share": 0.125})
    assert text == '["chance","AAAAAAAAAAAAAAAAAAAAAA",5,{"share":0.125}]'
    assert statements.signer(text, statements.stamped(sign, text)) == sealing.b64(PUBLIC)


def test_a_stamp_of_another_text_of_a_line_or_of_another_length_is_none() -> None:
    text = statements.said(statements.DIRECTED, "A" * 22)
    stamp = statements.stamped(sign, text)
    of_a_line = sealing.b64(sign(b"hr1/checkpoint\0" + text.encode()))
    for other, stamped in ((text + " ", stamp), (text, of_a_line), (text, stamp[:-4]), (text, "?"), (text, "")):
        assert statements.signer(other, stamped) == ""


def test_without_a_key_nothing_is_signed() -> None:
    assert statements.stamped(None, "[]") == ""
