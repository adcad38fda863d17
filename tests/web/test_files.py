"""What the client's files must keep to: size, no address of another host, Content-Security-Policy, strings."""

import gzip
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from domain.kernel.table import OfferTerms
from projections.languages import LANGUAGES
from server.pages.serving import page
from tests.web.files import CODE, IMPORT, SOURCES, TEXT, loaded
from tests.web.node import WEB

PAGE_BUDGET = 195_000
COMPRESSED_BUDGET = 66_000
GLYPH_BUDGET = 300_000
FONT_BUDGET = 90_000
LIBRARY = WEB / "client"
"""The client library (clients/typescript), compiled: a page loads what it needs of it."""
LATER_BUDGET = 186_500
WHOLE_BUDGET = 156_000
"""All that a table ever loads, as it is sent to browsers: packed."""
SOFT = {"noble-ed25519.js", "softkey.js", "softdevice.js"}
"""What browsers load that have no Ed25519, in place of their own."""
SOFT_BUDGET = 11_000


def sent(path: Path) -> bytes:
    return bytes(page(f"/{path.relative_to(WEB.resolve()).as_posix()}", lambda *_: None, develop=True).body)


PAGES = (
    "index.html",
    "table.html",
    "army.html",
    "lesson.html",
    "learn.html",
    "me.html",
    "staff.html",
    "privacy.html",
    "ratings.html",
    "guide.html",
    "overlay.html",
    "wall.html",
    "desk.html",
    "follow.html",
    "embed.html",
    "inspect/index.html",
)


@pytest.mark.parametrize("name", PAGES)
def test_code_and_styles_of_a_page_stay_within_their_budget(name: str) -> None:
    bodies = [sent(path) for path in loaded(WEB / name)]
    assert sum(map(len, bodies)) <= PAGE_BUDGET
    assert len(gzip.compress(b"".join(bodies), 9)) <= COMPRESSED_BUDGET


@pytest.mark.parametrize("part", sorted((WEB / "parts").glob("*.html")), ids=lambda path: path.stem)
def test_a_part_stands_in_two_pages_and_in_no_other_file(part: Path) -> None:
    files = {path: path.read_text() for path in SOURCES if path.suffix == ".html" and path != part}
    lines = re.sub(r"^\s*(?:<!-- .* -->)?\n?", "", part.read_text(), flags=re.MULTILINE)
    assert sum(f"<!-- part {part.stem} -->" in text for text in files.values()) >= 2 or part.stem in NESTED
    assert not [path for path, text in files.items() if lines in re.sub(r"^\s+", "", text, flags=re.MULTILINE)]


NESTED = {"look", "tools", "yours"}


def test_a_page_is_sent_with_its_parts_in_their_places() -> None:
    assert [name for name in PAGES if b"<!--" in sent(WEB.resolve() / name)] == []


SERVICE_WORKER = "push.js"


def test_no_code_or_style_is_left_that_no_page_loads() -> None:
    pages = {path for name in PAGES for path in loaded(WEB / name, lazily=True)}
    own = {path.resolve() for path in CODE if path.parent != LIBRARY and path.name != SERVICE_WORKER}
    assert f'register("/{SERVICE_WORKER}")' in TEXT[WEB / "js" / "noticesettings.js"], "the browser loads it"
    assert own <= pages <= own | set(LIBRARY.resolve().glob("*.js"))


def test_no_two_modules_have_one_name_for_in_an_exported_page_they_lie_side_by_side() -> None:
    names = [path.name for path in CODE if path.suffix == ".js" and path.parent in {WEB / "js", LIBRARY}]
    assert len(names) > 60
    assert sorted(names) == sorted(set(names))


def test_what_a_page_loads_when_it_is_asked_for_is_small() -> None:
    asked = set(loaded(WEB / "table.html", lazily=True)) - set(loaded(WEB / "table.html"))
    assert asked
    assert sum(len(sent(path)) for path in asked if path.name not in SOFT) <= LATER_BUDGET


def test_what_a_browser_without_ed25519_loads_besides_is_small_and_no_other_loads_it_at_first() -> None:
    asked = [path for path in loaded(WEB / "table.html", lazily=True) if path.name in SOFT]
    assert {path.name for path in asked} == SOFT
    assert sum(len(sent(path)) for path in asked) <= SOFT_BUDGET
    assert not SOFT & {path.name for name in PAGES for path in loaded(WEB / name)}


def test_all_that_a_table_ever_loads_is_small_as_it_is_sent() -> None:
    files = [path for path in loaded(WEB / "table.html", lazily=True) if path.name not in SOFT]
    packed = [
        page(f"/{path.relative_to(WEB.resolve()).as_posix()}", lambda *_: None, accepted="gzip") for path in files
    ]
    assert all(answer.headers["Content-Encoding"] == "gzip" for answer in packed)
    assert sum(len(answer.body) for answer in packed) <= WHOLE_BUDGET


def test_fonts_are_small_licensed_and_there_on_the_first_visit() -> None:
    fonts = WEB / "fonts"
    assert sum(path.stat().st_size for path in fonts.glob("*.woff2")) <= FONT_BUDGET
    assert "SIL Open Font License" in (fonts / "LICENSE.txt").read_text()
    named = re.findall(r"@font-face \{[^}]*\}", TEXT[WEB / "css" / "tokens.css"])
    found = {name for rule in named for name in re.findall(r"/fonts/([^\"]+)", rule)}
    assert found == {path.name for path in fonts.glob("*.woff2")}
    assert all("font-display: swap" in rule for rule in named)
    for name in ("index.html", "table.html"):
        preloaded = re.findall(
            r'rel="preload" href="/fonts/([^"]+)" as="font" type="font/woff2" crossorigin', TEXT[WEB / name]
        )
        assert set(preloaded) == found


def test_glyphs_stay_within_their_budget() -> None:
    assert sum(path.stat().st_size for path in (WEB / "glyphs").glob("*.json")) < GLYPH_BUDGET


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_address_of_another_host(path: Path) -> None:
    text = sent(path.resolve()).decode() if path.name in SOFT else TEXT[path]  # comments are not sent
    found = set(re.findall(r"\bhttps?://[^\s\"'`)]+", text)) - {"http://www.w3.org/2000/svg"}
    assert found == set()


@pytest.mark.parametrize("path", [p for p in SOURCES if p.suffix == ".html"], ids=lambda path: path.name)
def test_pages_have_no_inline_script_style_or_handler(path: Path) -> None:
    assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", TEXT[path]) == []
    assert re.findall(r"<style\b|\sstyle=|\son[a-z]+=", TEXT[path]) == []


@pytest.mark.parametrize("path", [p for p in CODE if p.suffix == ".js"], ids=lambda path: path.name)
def test_modules_never_write_markup_nor_evaluate_text(path: Path) -> None:
    assert re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", TEXT[path]) == []


@pytest.mark.parametrize("path", [p for p in CODE if p.suffix == ".js"], ids=lambda path: path.name)
def test_modules_import_only_each_other(path: Path) -> None:
    for name in re.findall(IMPORT, TEXT[path]):
        assert (path.parent / name).resolve().is_file(), name
        assert name.startswith("."), name


def test_assets_are_listed_as_they_are() -> None:
    listed = json.loads((WEB / "assets.json").read_text())
    assert listed["glyphs"] == sorted(path.stem for path in (WEB / "glyphs").glob("*.json"))
    assert listed["pictures"] == sorted(path.stem for path in (WEB / "pictures").glob("*.webp"))


def test_pictures_are_small() -> None:
    assert [p.name for p in (WEB / "pictures").iterdir() if p.stat().st_size > 100_000] == []


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, 1.4.3."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_words_stand_out_from_every_ground_they_are_on(dark: bool) -> None:
    """Most grounds are gradients, of which axe says nothing."""
    light, _, after = TEXT[WEB / "css" / "tokens.css"].partition(":root.dark {")
    tokens = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", light + (after.partition("\n}")[0] if dark else "")))
    panels = ("paper", "paper2", "card", "card2")
    for word in ("ink", "ink2", "bad"):
        for ground in ("desk", "desk2", "field", "field2", *panels):
            assert contrast(tokens[word], tokens[ground]) >= 4.5, (word, ground)
    assert all(contrast(tokens["ink3"], tokens[ground]) >= 4.5 for ground in panels)
    assert all(contrast(tokens["gold"], tokens[ground]) >= 4.5 for ground in ("paper", "paper2", "card"))


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs), "a key stands twice"
    return dict(pairs)


CATALOGUES = {
    path.stem: json.loads(path.read_text(), object_pairs_hook=once) for path in sorted((WEB / "strings").glob("*.json"))
}
FAMILIES = (
    *("about.", "bot.", "change.", "group.", "length.", "moment.", "option.", "offer.", "close.", "lacks."),
    *("atTable.", "clock.", "did.", "hook.", "mail.", "outcome.", "pace.", "quiet.", "shownTo.", "shows."),
    *("staff.", "shun.", "told."),
)
"""Keys that are put together at run time; a name without an entry is shown as it is."""


def test_every_language_has_every_string() -> None:
    assert set(CATALOGUES) == set(
        re.findall(r"(\w+): \"", TEXT[WEB / "js" / "strings.js"].split("LANGUAGES = ")[1].split("}")[0])
    )
    assert set(CATALOGUES) == set(LANGUAGES), "what glossaries are asked for in"
    for catalogue in CATALOGUES.values():
        assert list(catalogue) == list(CATALOGUES["en"])
        assert all(text if isinstance(text, str) else len(text) == 2 and all(text) for text in catalogue.values())


def names_in(text: str | list[str]) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text if isinstance(text, str) else " ".join(text)))


@pytest.mark.parametrize("key", CATALOGUES["en"])
def test_a_string_names_the_same_values_in_every_language(key: str) -> None:
    assert len({frozenset(names_in(catalogue[key])) for catalogue in CATALOGUES.values()}) == 1


def used_keys() -> set[str]:
    everything = "\n".join(TEXT.values())
    called = set(re.findall(r"\b(?:t|word)\(\"([\w.]+)\"", everything))
    return called | set(re.findall(r"data-(?:s|label)=\"(\w+)\"", everything))


def test_every_string_that_the_client_asks_for_exists() -> None:
    assert used_keys() - set(CATALOGUES["en"]) == set()


def test_every_offer_of_the_protocol_has_its_words() -> None:
    offers = {f"offer.{kind.__struct_config__.tag}" for kind in get_args(OfferTerms)}
    assert {key for key in CATALOGUES["en"] if key.startswith("offer.")} == offers


def test_every_string_is_used() -> None:
    everything = "\n".join([*TEXT.values(), (WEB / "client.json").read_text()])
    literals = set(re.findall(r"[\"`](\w+)[\"`]", everything)) | used_keys()
    lists = {f"{name}None" for name in ("open", "running", "finished", "mine")}
    assert {key for key in CATALOGUES["en"] if not key.startswith(FAMILIES)} - literals - lists == set()
