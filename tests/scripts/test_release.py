"""`scripts/release`: what it refuses, what it gathers, and what it lists."""

import json
import re
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from scripts import release
from scripts.promises import BrokenPromiseError, run
from scripts.release import KINDS, fragments, one_version, owners, parts, section, sums, versions

ROOT = Path(__file__).resolve().parents[2]
KEPT = ("changelog.d/README.md", "changelog.d/section.md.jinja")
"""What stays in the folder of fragments."""
BEFORE = "\n## Before the first release\n"


def test_all_packages_have_one_version() -> None:
    assert one_version(versions())


def test_packages_of_different_versions_are_refused() -> None:
    with pytest.raises(BrokenPromiseError, match="differ in version"):
        one_version({".": "1.0.0", "clients/python": "0.9.0"})


def test_every_fragment_is_of_a_kind_and_says_something() -> None:
    found = fragments()
    assert all(text.endswith(".") and len(text) > 20 for texts in found.values() for text in texts)


@pytest.fixture
def changelog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository's changelog of one version, with an empty folder of fragments beside it."""
    path = tmp_path / "CHANGELOG.md"
    path.write_text(f"# Changelog\n\n{release.MARK}\n## 1.0.0 (2026-12-01)\n\n### Added\n\n- First.\n\n## Before\n")
    (tmp_path / "changelog.d").mkdir()
    for name in ("pyproject.toml", *KEPT):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(release, "ROOT", tmp_path)
    return path


def noted(changelog: Path, **texts: str) -> None:
    """Put fragments beside a changelog: of each kind a text."""
    for kind, text in texts.items():
        (changelog.parent / "changelog.d" / f"+words.{kind}.md").write_text(text)


@pytest.mark.parametrize("name", ["+words.md", "+words.feature.md"])
def test_a_fragment_of_no_kind_is_refused(name: str, changelog: Path) -> None:
    (changelog.parent / "changelog.d" / name).write_text("Something.")
    with pytest.raises(BrokenPromiseError, match="Invalid news fragment name"):
        fragments()


def test_fragments_are_gathered_by_kind_in_the_order_of_kinds(changelog: Path) -> None:
    noted(changelog, fixed="Mended\nthis.", added="New.")
    (changelog.parent / "changelog.d" / "words.added.md").write_text("Newer.")
    assert section("1.1.0", "2027-01-02", fragments()) == (
        "## 1.1.0 (2027-01-02)\n\n### Added\n\n- Newer.\n- New.\n\n### Fixed\n\n- Mended this.\n"
    )


def test_towncrier_has_the_kinds_of_the_changelog() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
    assert tuple(kind["directory"] for kind in told["type"]) == KINDS
    assert [kind["name"].lower() for kind in told["type"]] == [*KINDS]
    assert told["start_string"] == release.MARK


def test_a_release_is_cut_above_the_one_before(changelog: Path) -> None:
    noted(changelog, added="New.")
    release.cut("1.1.0")
    text = changelog.read_text()
    assert text.index("## 1.1.0 (") < text.index("- New.") < text.index("\n\n## 1.0.0 (") < text.index("- First.")
    assert sorted(path.name for path in (changelog.parent / "changelog.d").iterdir()) == sorted(
        Path(name).name for name in KEPT
    )
    with pytest.raises(BrokenPromiseError, match="holds no change"):
        release.cut("1.1.0")


def test_changes_that_come_before_the_tag_join_the_section_of_their_version(changelog: Path) -> None:
    noted(changelog, added="Second.", fixed="Mended.")
    release.cut("1.0.0")
    told = section("1.0.0", "DAY", {"added": ["First.", "Second."], "fixed": ["Mended."]})
    text = re.sub(r"\(\d{4}-\d\d-\d\d\)", "(DAY)", changelog.read_text())
    assert text == f"# Changelog\n\n{release.MARK}\n{told}\n## Before\n"


def test_a_version_whose_tag_is_there_is_released_already(changelog: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted(changelog, added="New.")
    monkeypatch.setattr(release, "tagged", lambda: ["0.1.0", "1.0.0"])
    with pytest.raises(BrokenPromiseError, match=r"1\.0\.0 is released already"):
        release.cut("1.0.0")
    assert "New." not in changelog.read_text()


def test_a_version_that_is_out_and_of_which_nothing_is_kept_holds_up_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "tagged", lambda: ["1.0.0", "1.1.0"])
    kept = tmp_path / "tests/releases/1.0.0/played.db.gz"
    kept.parent.mkdir(parents=True)
    kept.touch()
    with pytest.raises(BrokenPromiseError, match=r"keeps nothing of 1\.1\.0 "):
        release.assert_kept(tmp_path)
    monkeypatch.setattr(release, "tagged", lambda: ["1.0.0"])
    release.assert_kept(tmp_path)


def test_nothing_is_released_whose_changes_are_not_in_the_changelog(changelog: Path) -> None:
    noted(changelog, added="New.")
    with pytest.raises(BrokenPromiseError, match="not in CHANGELOG"):
        release.assert_ready(is_dirty_allowed=False)


def test_a_file_that_two_packages_own_is_refused(tmp_path: Path) -> None:
    wheels = [tmp_path / "one.whl", tmp_path / "two.whl"]
    for wheel, names in zip(wheels, (("a/x.py", "b/y.py"), ("b/y.py",)), strict=True):
        with zipfile.ZipFile(wheel, "w") as made:
            for name in names:
                made.writestr(name, "")
    owners(wheels[:1])
    with pytest.raises(BrokenPromiseError, match=r"two packages own b/y\.py"):
        owners(wheels)


def test_an_sdist_that_comes_to_another_wheel_is_refused(tmp_path: Path) -> None:
    source, built = tmp_path / "source", tmp_path / "built"
    (source / "small").mkdir(parents=True)
    (source / "small/__init__.py").touch()
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "small"\nversion = "1"\n'
    )
    run(Path(sys.executable).with_name("hatchling"), "build", "-d", built, cwd=source)
    (sdist,), (wheel,) = built.glob("*.tar.gz"), built.glob("*.whl")
    release.holds_what_its_wheel_holds(sdist, wheel, tmp_path / "first")
    with zipfile.ZipFile(wheel, "a") as made:
        made.writestr("small/more.py", "")
    with pytest.raises(BrokenPromiseError, match=r"comes to another wheel: small/more\.py"):
        release.holds_what_its_wheel_holds(sdist, wheel, tmp_path / "second")


def test_the_list_of_parts_names_what_is_locked() -> None:
    bill = parts("1.0.0", (ROOT / "requirements.lock").read_text(encoding="utf-8"))
    names = {part["name"] for part in bill["components"]}
    assert {"msgspec", "websockets", "cryptography"} <= names
    assert json.loads(json.dumps(bill))["metadata"]["component"]["purl"] == "pkg:pypi/herald@1.0.0"


def test_hashes_are_written_as_sha256sum_reads_them(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    assert sums([tmp_path / "a"]) == f"{'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'}  a\n"


def test_the_changelog_can_be_read_and_has_its_mark() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.count(release.MARK) == 1
    assert text.index(release.MARK) < text.index(BEFORE)
    assert len(text.partition(BEFORE)[2].splitlines()) <= 80
