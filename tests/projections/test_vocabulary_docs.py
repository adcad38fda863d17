"""docs/scene.md names every word a Scene may hold."""

import re
from pathlib import Path

import msgspec
import pytest

from projections import vocabulary

TEXT = (Path(__file__).parents[2] / "docs/scene.md").read_text()
WORDS = [kind for kind in vars(vocabulary).values() if isinstance(kind, type) and issubclass(kind, vocabulary.Word)]


@pytest.mark.parametrize("kind", WORDS, ids=lambda kind: kind.__name__)
def test_every_word_is_in_the_document(kind: type[msgspec.Struct]) -> None:
    named = [field.encode_name for field in msgspec.structs.fields(kind)]
    assert [name for name in named if not re.search(rf"\b{re.escape(name)}\b", TEXT)] == []
