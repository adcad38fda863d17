"""What a server says beside the record is judged alike by both client libraries, whatever a relay makes of it."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from herald_client.messages import Directed
from herald_client.statements import Chance, Pointed, chance, pointed
from replay.record import sealing, statements
from tests.replay.record.stating import PUBLIC, sign
from tests.web.node import WEB, node

MATCH: Final = "A" * 22
SERVER: Final = sealing.b64(PUBLIC)
DIRECTION: Final = {"line": 3, "note": "Look \u2028 here", "marks": [{"at": "pile"}]}
SIDES: Final = [{"seats": [0], "share": 0.125, "low": 0.0, "high": 1.0}]
DIRECTED: Final = statements.said("directed", MATCH, "spectator", 50, DIRECTION, "Cato")
CHANCE: Final = statements.said("chance", MATCH, 50, 9, 24, SIDES)
OTHER: Final = "B" * 22


def directed(said: str, stamp: str | None = None, **more: Any) -> dict[str, Any]:
    stamp = statements.stamped(sign, said) if stamp is None else stamp
    return {"t": "directed", "direction": DIRECTION, "name": "Cato", "said": said, "signed": stamp} | more


def likely(said: str, **more: Any) -> dict[str, Any]:
    told = {"line": 9, "samples": 24, "sides": SIDES, "said": said, "signed": statements.stamped(sign, said)}
    return told | more


def bare(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name not in ("said", "signed")}


TOLD: Final[dict[str, tuple[dict[str, Any], dict[str, Any], str]]] = {
    "as it was signed": (directed(DIRECTED), {}, "server"),
    "with other words beside": (directed(DIRECTED, direction={"note": "lie"}, name="Eve"), {}, "server"),
    "nobody directs any more": (directed(statements.said("directed", MATCH, "spectator", 50, None, "")), {}, "server"),
    "once more": (directed(DIRECTED), {"last": 50}, "server"),
    "an old one": (directed(DIRECTED), {"last": 51}, "false"),
    "of another match": (directed(statements.said("directed", OTHER, "spectator", 50, None, "")), {}, "false"),
    "for other viewers": (directed(DIRECTED), {"viewers": "open"}, "false"),
    "a chance to win as a direction": (directed(CHANCE), {}, "false"),
    "changed": (directed(DIRECTED.replace("Look", "Loot"), statements.stamped(sign, DIRECTED)), {}, "false"),
    "without its signature": (bare(directed(DIRECTED)), {}, "false"),
    "with an empty signature": (directed(DIRECTED, ""), {}, "false"),
    "with half a signature": (directed(DIRECTED, statements.stamped(sign, DIRECTED)[:64]), {}, "false"),
    "of no shape": (directed(statements.said("directed", MATCH, "spectator", "now", DIRECTION, "")), {}, "false"),
    "no array": (directed("7"), {}, "false"),
    "no JSON": (directed("{"), {}, "false"),
    "under another key than line 1 names": (directed(DIRECTED), {"server": "C" * 43}, "other"),
    "under a key where line 1 names none": (directed(DIRECTED), {"server": ""}, "other"),
    "not signed, and line 1 names no key": (bare(directed(DIRECTED)), {"server": ""}, "none"),
}
LIKELY: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "as it was signed": (likely(CHANCE), "server"),
    "with other figures beside": (likely(CHANCE, line=10, sides=[]), "server"),
    "of another match": (likely(statements.said("chance", OTHER, 50, 9, 24, SIDES)), "false"),
    "a direction as a chance to win": (likely(DIRECTED), "false"),
    "changed": (likely(CHANCE) | {"said": CHANCE.replace("0.125", "0.875")}, "false"),
    "without its signature": (bare(likely(CHANCE)), "false"),
    "none": ({}, "none"),
}
JUDGED: Final = """
import { readFileSync } from "node:fs";
import { chanceOf, directedOf } from "STATEMENTS";
const { told, likely } = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const out = { told: [], likely: [] };
for (const [m, { match, server, viewers, last }] of told) {
	out.told.push(await directedOf(m, { match, server, seesHands: viewers === "open" }, last));
}
for (const m of likely) {
	out.likely.push(await chanceOf(m, { match: "MATCH", server: "SERVER", seesHands: false }));
}
console.log(JSON.stringify(out));
"""


def known(change: dict[str, Any]) -> dict[str, Any]:
    return {"match": MATCH, "viewers": "spectator", "server": SERVER, "last": 0} | change


@pytest.mark.parametrize("case", TOLD)
def test_a_direction_is_followed_only_as_it_was_signed(case: str) -> None:
    told, change, proof = TOLD[case]
    found = in_python(told, change)
    assert found.proof == proof, found
    assert (found.proof == "false") == bool(found.why)
    assert found.direction in (None, DIRECTION)
    assert found.proof != "false" or found.direction is None


def in_python(told: dict[str, Any], change: dict[str, Any]) -> Pointed:
    plain = {name: value for name, value in told.items() if name != "t"}
    return pointed(Directed(**plain), **known(change))


@pytest.mark.parametrize("case", LIKELY)
def test_a_chance_to_win_is_shown_only_as_it_was_signed(case: str) -> None:
    told, proof = LIKELY[case]
    found = chance(told, MATCH, SERVER)
    assert (found.proof, bool(found.why)) == (proof, proof == "false")
    assert found in (Chance(9, 24, (*SIDES,), 50, "server"), Chance(proof=found.proof, why=found.why))


def test_both_libraries_judge_alike(tmp_path: Path) -> None:
    script, cases = tmp_path / "judged.mjs", tmp_path / "cases.json"
    paths = {"STATEMENTS": (WEB / "client" / "statements.js").as_uri(), '"MATCH"': f'"{MATCH}"'}
    text = JUDGED.replace('"SERVER"', f'"{SERVER}"')
    for name, value in paths.items():
        text = text.replace(name, value)
    script.write_text(text)
    told = [(one, known(change)) for one, change, _ in TOLD.values()]
    cases.write_text(json.dumps({"told": told, "likely": [one for one, _ in LIKELY.values()]}))
    out = json.loads(node(script, str(cases)))
    here = [in_python(one, change) for one, change, _ in TOLD.values()]
    assert out["told"] == [
        {"kind": "directed", "direction": one.direction, "name": one.name, "at": one.at, "proof": one.proof}
        | {"why": one.why}
        for one in here
    ]
    judged = [chance(one, MATCH, SERVER) for one, _ in LIKELY.values()]
    assert out["likely"] == [
        {"line": one.line, "samples": one.samples, "sides": [*one.sides], "at": one.at, "proof": one.proof}
        | {"why": one.why}
        for one in judged
    ]
