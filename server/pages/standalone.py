"""A match as one HTML file that plays anywhere: the web client, its drawings, the bundle, the public record."""

import json
import re
from base64 import b64encode
from graphlib import TopologicalSorter
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from projections.glossary import encoded
from projections.languages import ENGLISH, LANGUAGES
from projections.redaction import SPECTATOR
from projections.scene import diff
from replay.record import sealing
from server.pages.assets import sent
from server.pages.bundle import bundle
from server.pages.line_tables import line_table
from server.table.audience import wire_item

if TYPE_CHECKING:
    from projections.face import Face
    from replay.store.store import Store

IMPORT = re.compile(r'\bimport ?\{([^}]*)\} ?from ?"\.{1,2}/(?:(?:js|client)/)?([\w.]+)";?')
"""Modules lie in two folders, and no two modules have the same name."""
LAZY = re.compile(r'\bimport\("\./([\w.]+)"\)')
"""A module that is loaded on demand; in this file it lies in the page like all others."""
EXPORT = re.compile(r"\bexport (?=(?:async )?(?:function\*?|class|let|const) ?([\w$]+))")
STYLE = re.compile(r'<link rel="stylesheet" href="/([^"]+)" />')
FONT = re.compile(r"@font-face\{[^}]*\}")
LATER = re.compile(r'href:"/(css/[^"]+)"')
"""A style that a module adds when it is first needed."""
CREDIT = "Pictograms by Lorc, Delapouite and others of game-icons.net, CC BY 3.0"


def standalone(face: "Face[Any]", store: "Store", match: str) -> str:
    """The file's text. It needs no server; the page that shows the record checks it."""
    web = files("server").joinpath("web")
    held = bundle(face, store, match)
    held["said"] = {lang: _differing(held, face, store, match, lang) for lang in LANGUAGES if lang != ENGLISH}
    held["record"] = _record(store, match)
    sources = {path.name: sent(path).decode() for path in _modules(web)}
    data = _script_json(held)
    parts = {
        "bundle": data,
        "glyphs": _script_json(_glyphs(web, held["glyphs"], data + "".join(sources.values()))),
        "words": _script_json({lang: _rulebook(held["game"], "words", lang) for lang in LANGUAGES}),
        "rules": _script_json({ENGLISH: _rulebook(held["game"], "rules", ENGLISH)}),
        "shapes": _script_json({held["game"]: line_table(face.game)}),
        "drawings": _script_json(json.loads(web.joinpath("client.json").read_text("utf-8"))),
        "strings": _script_json(
            {
                path.name.removesuffix(".json"): json.loads(path.read_text("utf-8"))
                for path in web.joinpath("strings").iterdir()
            }
        ),
    }
    return _page(held["title"], sources, parts)


def _differing(held: dict[str, Any], face: "Face[Any]", store: "Store", match: str, language: str) -> dict[str, Any]:
    """Differences of each viewpoint's Scene and Steps in another language: patches; those of Steps are numbered."""
    other = bundle(face, store, match, language=language)["tracks"]
    found = {}
    for view, track in held["tracks"].items():
        pairs = enumerate(zip(track["steps"], other[view]["steps"], strict=True))
        steps = {number: patch for number, (old, new) in pairs if (patch := diff(old, new))}
        found[view] = {"scene": diff(track["scene"], other[view]["scene"]) or {}, "steps": steps}
    return found


def _record(store: "Store", match: str) -> dict[str, Any]:
    head = store.head(match)
    items = [wire_item(entry, SPECTATOR) for entry in store.read(match, limit=head.seq)]
    return {
        "match": match,
        "keys": {},
        "from": 1,
        "to": head.seq,
        "items": items,
        "head": {"seq": head.seq, "hash": sealing.b64(head.hash)},
    }


def _modules(web: Traversable) -> list[PurePosixPath]:
    """The modules of the table, each after those it needs; `table.js`, which starts the page, after all modules that it
    may load.
    """
    needs: dict[str, tuple[PurePosixPath, list[str]]] = {}
    waiting = ["table.js"]
    for name in waiting:
        path = PurePosixPath("js" if web.joinpath("js", name).is_file() else "client", name)
        text = sent(path).decode()
        needs[name] = path, [other for _, other in IMPORT.findall(text)]
        waiting += [other for other in dict.fromkeys([*needs[name][1], *LAZY.findall(text)]) if other not in waiting]
    before = {name: imported for name, (_, imported) in needs.items()}
    before["table.js"] = [name for name in needs if name != "table.js"]
    return [needs[name][0] for name in TopologicalSorter(before).static_order()]


def _module(name: str, text: str) -> str:
    """A module as a function's body in one script: its imports are fields of `modules$`, and its exports become one
    field. No exported name is assigned again, as the checks of the source require, and no module has the name
    `modules$` itself.
    """
    assert "modules$" not in text, f"{name} would hide the modules from itself"
    text = IMPORT.sub(lambda found: f"const{{{found[1].replace(' as ', ':')}}}=modules$[{json.dumps(found[2])}];", text)
    text = LAZY.sub(lambda found: f"Promise.resolve(modules$[{json.dumps(found[1])}])", text)
    exported = ",".join(dict.fromkeys(EXPORT.findall(text)))
    body = EXPORT.sub("", text)
    return f"modules$[{json.dumps(name)}]=await(async()=>{{{body}\nreturn{{{exported}}}}})();"


def _script(sources: dict[str, str]) -> str:
    """All modules as one, without `</script` or `<!--` in a text, which would end the script (HTML, 4.12.1.3)."""
    parts = ["const modules$={};", *(_module(name, text) for name, text in sources.items())]
    script = "\n".join(parts)
    assert not re.search("</script|<!--", script, re.IGNORECASE), "our own code ends no script"
    return script


def _rulebook(game: str, what: Literal["words", "rules"], language: str) -> Any:
    """The words or the rules of the game; null if it has none."""
    found = encoded(game, what, language)
    return None if found is None else json.loads(found[1])


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


def _policy(script: str, styles: str) -> str:
    """The page's permissions: run this one script, and connect to nothing."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(styles)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _page(title: str, sources: dict[str, str], parts: dict[str, str]) -> str:
    html = sent(PurePosixPath("table.html")).decode()
    names = [*STYLE.findall(html), *(name for text in sources.values() for name in LATER.findall(text))]
    # fonts lie at the server, from which this file loads nothing
    styles = FONT.sub("", "\n".join(sent(PurePosixPath(name)).decode() for name in names))
    script = _script(sources)
    head = [
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(script, styles)}">',
        f"<title>{escape(title)} · Herald</title>\n<!-- {CREDIT} -->",
        '<link rel="icon" href="data:,">',
        f"<style>{styles}</style>",
        *(f'<script type="application/json" id="{name}">{text}</script>' for name, text in parts.items()),
        f'<script type="module">{script}</script>',
    ]
    before, _, rest = html.partition("<title>")
    return before + "\n".join(head) + "\n</head>" + rest.partition("</head>")[2]
