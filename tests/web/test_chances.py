"""Numbers of the review, written as the page's language writes them."""

from pathlib import Path

import pytest

from tests.web.node import WEB, node


@pytest.mark.parametrize(("language", "said"), [("en", "3.4 1,234.0"), ("de", "3,4 1.234,0")])
def test_decimals_are_written_as_the_language_writes_them(language: str, said: str) -> None:
    script = Path(__file__).with_name("chances.mjs")
    assert node(script, str(WEB / "js" / "chances.js"), str(WEB / "js" / "strings.js"), language).strip() == said
