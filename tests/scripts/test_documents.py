"""The site of the documents: built without the network, complete, and without a link that leads nowhere."""

from pathlib import Path

import pytest

from scripts.documents import ROOT, build, faults, listing, reference, relinked
from scripts.pictures import FOLDER, PICTURES
from scripts.public_face import described


def test_every_screenshot_of_the_documents_is_made_by_the_script_and_shown() -> None:
    assert {path.name for path in FOLDER.glob("*.webp")} == PICTURES.keys()
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    assert all(f"images/{name})" in pages for name in PICTURES)


def test_the_reference_has_every_public_name() -> None:
    text = reference()
    for name in described():
        assert f"### `{name.rpartition('.')[2]}`" in text


def test_links_to_folders_lead_to_their_pages_and_those_to_code_are_words(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/one.md").write_text("# One")
    page = tmp_path / "page.md"
    page.write_text("[a](rules/) [b](rules/one.md#x) [c](../code.py) [d](#e) [f](https://g.example)\n\n    [h](none)\n")
    assert relinked(page, tmp_path) == (
        "[a](rules/README.md) [b](rules/one.md#x) c [d](#e) [f](https://g.example)\n\n    [h](none)\n"
    )
    assert "- [one.md](one.md)" in listing(tmp_path / "rules")


def test_links_that_lead_nowhere_and_what_is_fetched_from_elsewhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/index.html").write_text('<h2 id="x">X</h2><a href="../">up</a>')
    (tmp_path / "index.html").write_text(
        '<a href="a/#x">1</a><a href="a/#y">2</a><a href="b/">3</a><a href="https://c.example">4</a>'
        '<script src="https://d.example/e.js"></script><link rel="stylesheet" href="//f.example/g.css">'
    )
    assert sorted(faults(tmp_path)) == [
        "index.html fetches //f.example/g.css",
        "index.html fetches https://d.example/e.js",
        "index.html: a/#y leads to no part of its page",
        "index.html: b/ leads nowhere",
    ]


@pytest.mark.whole
def test_the_site_is_built_and_its_links_hold(tmp_path: Path) -> None:
    assert build(tmp_path / "site") > 100
    text = (tmp_path / "site/docs/hosting/index.html").read_text("utf-8")
    assert "<h1" in text
