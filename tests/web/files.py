"""Shared by `test_files` and other tests: CODE, loaded."""

import re
from pathlib import Path, PurePosixPath

from server.pages.assets import sent
from tests.web.node import WEB

SOURCES = sorted([*WEB.rglob("*.js"), *WEB.rglob("*.css"), *WEB.rglob("*.html")])


CODE = [path for path in SOURCES if path.suffix in {".js", ".css"}]


def _text(path: Path) -> str:
    return (
        sent(PurePosixPath(path.relative_to(WEB).as_posix())).decode() if path.suffix == ".html" else path.read_text()
    )


TEXT = {path: _text(path) for path in SOURCES}
"""The source of each file; of a page, with its parts in their places."""


IMPORT = re.compile(r"^(?:import|export)\b[^;]* from \"([^\"]+)\";", re.MULTILINE)


LAZY = re.compile(r"(?<!\{)\bimport\(\"([^\"]+\.js)\"\)|href: \"(/css/[^\"]+)\"")
"""The files that a module loads on demand: modules, styles."""


def loaded(name: Path, *, lazily: bool = False) -> dict[Path, None]:
    """The styles and modules that a page loads at first, in the order in which they are found; or all it ever loads."""
    names = re.findall(r"(?:<script[^>]* src|<link rel=\"stylesheet\" href)=\"/([^\"]+)\"", TEXT[name])
    found: dict[Path, None] = {}
    waiting = [WEB / name for name in names]
    while waiting:
        path = waiting.pop().resolve()
        if path not in found:
            found[path] = None
            waiting += [path.parent / name for name in re.findall(IMPORT, path.read_text())]
            for module, style in re.findall(LAZY, path.read_text()) if lazily else ():
                waiting.append(path.parent / module if module else WEB / style.lstrip("/"))
    return found
