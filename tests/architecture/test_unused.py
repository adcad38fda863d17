"""Code that nothing calls is deleted: vulture looks through everything but the tests."""

from vulture import Vulture

from tests.architecture.sources import ROOT

FOLDERS = ("domain", "projections", "replay", "server", "scripts", "clients/python/src", "clients/library")
DECORATED = ["@step*", "@click.*", "@*.command*", "@*.group*"]
"""Steps of procedures and commands are called by name."""
CALLED_BY_LIBRARIES = [
    *("compose", "on_*", "watch_*", "action_*"),  # Textual calls these of a widget
    *("format_commands", "list_commands", "get_command"),  # click
    *("handle_starttag", "log_message"),  # html.parser, http.server
    "start_keepalive",  # websockets
    *("readinto", "CompiledWheel", "initialize", "finalize"),  # io, and hatch's build hook
    *("make_py_observer", "current_player", "_legal_actions", "_apply_action*", "_action_to_string"),  # OpenSpiel
    *("resample_from_infostate", "set_from", "string_from"),
    *("observation_space", "observe", "render"),  # PettingZoo
]
FOR_AUTHORS = ["decline", "ping"]
"""Parts of the client library that programs of others call."""
FOR_TESTS = ["cue_defects", "choice_text_1", "unsaid"]
"""Checks that stand beside the code that they check; only tests call them."""
IN_TEXT = ["ValuesView", "Msg"]
"""Imports for annotations that are written as text."""
KNOWN = [*CALLED_BY_LIBRARIES, *FOR_AUTHORS, *FOR_TESTS, *IN_TEXT]
KINDS = {"function", "class", "method", "property", "import"}


def test_everything_is_called_by_something() -> None:
    search = Vulture(ignore_decorators=DECORATED, ignore_names=KNOWN)
    search.scavenge([str(ROOT / folder) for folder in FOLDERS])
    unused = [item for item in search.get_unused_code(min_confidence=60) if item.typ in KINDS]
    unused = [item for item in unused if "domain" not in item.filename.parts]
    assert not [f"{item.filename.relative_to(ROOT)}:{item.first_lineno}: {item.typ} {item.name}" for item in unused]
