"""A match as one HTML file that plays anywhere: the web client, its drawings, the bundle, the public record."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from projections.redaction import SPECTATOR
from replay.record import hr1
from server.pages.assets import sent
from server.pages.bundle import bundle
from server.table.audience import wire_item

if TYPE_CHECKING:
    from projections.face import Face
    from replay.store.log import Store

IMPORT = re.compile(r'\b(from|import) ?"\.{1,2}/(?:(?:js|client)/)?([\w.]+)"')
"""Modules lie in two folders, and no two have one name."""
STYLE = re.compile(r'<link rel="stylesheet" href="/([^"]+)" />')
BOOT = 'import "herald/table.js";'
CREDIT = "Pictograms by Lorc, Delapouite and others of game-icons.net, CC BY 3.0"


def standalone(face: "Face[Any]", store: "Store", match: str) -> str:
    """The file's text. It asks nothing of any server; the record in it is checked by the page that shows it."""
    web = files("server").joinpath("web")
    held = bundle(face, store, match)
    held["record"] = _record(store, match)
    sources = {path.name: sent(path).decode() for path in _modules(web)}
    data = _script_json(held)
    parts = {
        "bundle": data,
        "glyphs": _script_json(_glyphs(web, held["glyphs"], data + "".join(sources.values()))),
        "drawings": _script_json(json.loads(web.joinpath("client.json").read_text("utf-8"))),
        "strings": _script_json(
            {
                path.name.removesuffix(".json"): json.loads(path.read_text("utf-8"))
                for path in web.joinpath("strings").iterdir()
            }
        ),
    }
    return _page(web, held["title"], sources, parts)


def _record(store: "Store", match: str) -> dict[str, Any]:
    head = store.head(match)
    items = [wire_item(entry, SPECTATOR) for entry in store.read(match, limit=head.seq)]
    return {
        "match": match,
        "keys": {},
        "from": 1,
        "to": head.seq,
        "items": items,
        "head": {"seq": head.seq, "hash": hr1.b64(head.hash)},
    }


def _modules(web: Traversable) -> list[PurePosixPath]:
    """The modules of the table: `table.js` and all that it imports."""
    found: list[PurePosixPath] = []
    waiting = ["table.js"]
    for name in waiting:
        folder = "js" if web.joinpath("js", name).is_file() else "client"
        path = PurePosixPath(folder, name)
        found.append(path)
        imported = [other for _, other in IMPORT.findall(sent(path).decode())]
        waiting += [other for other in dict.fromkeys(imported) if other not in waiting]
    return found


def _glyphs(web: Traversable, sheets: list[str], text: str) -> dict[str, Any]:
    """The glyphs that the match or the client names."""
    named = set(re.findall(r'"([a-z0-9-]+)"', text))
    found: dict[str, Any] = {}
    for sheet in sheets:
        path = web.joinpath("glyphs", f"{sheet}.json")
        if path.is_file():
            found |= {name: paths for name, paths in json.loads(path.read_text("utf-8")).items() if name in named}
    return found


def _script_json(value: Any) -> str:
    """JSON as the content of a script, which `</script`, `<!--` or `<script` would end (HTML, 4.12.1.3)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _policy(scripts: tuple[str, ...], styles: str) -> str:
    """What the page may do: run these scripts and the modules they import, which lie in it, and ask nobody anything."""
    hashes = " ".join(f"'{_hash(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes} data:; style-src '{_hash(styles)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _page(web: Traversable, title: str, sources: dict[str, str], parts: dict[str, str]) -> str:
    html = web.joinpath("table.html").read_text("utf-8")
    styles = "\n".join(sent(PurePosixPath(name)).decode() for name in STYLE.findall(html))
    imports = {
        f"herald/{name}": "data:text/javascript;base64,"
        + b64encode(IMPORT.sub(r'\1"herald/\2"', text).encode()).decode()
        for name, text in sources.items()
    }
    importmap = _script_json({"imports": imports})
    head = [
        f'<meta http-equiv="Content-Security-Policy" content="{_policy((importmap, BOOT), styles)}">',
        f"<title>{escape(title)} · Herald</title>\n<!-- {CREDIT} -->",
        '<link rel="icon" href="data:,">',
        f"<style>{styles}</style>",
        f'<script type="importmap">{importmap}</script>',
        *(f'<script type="application/json" id="{name}">{text}</script>' for name, text in parts.items()),
        f'<script type="module">{BOOT}</script>',
    ]
    before, _, rest = html.partition("<title>")
    return before + "\n".join(head) + "\n</head>" + rest.partition("</head>")[2]
