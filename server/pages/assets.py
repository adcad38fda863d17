"""The web client's files as they are sent: code and styles without the parts that only human readers need.

Comments, indentation and the spaces around signs are removed; names and texts stay, so a stack trace is still readable.
This is done when a file is first requested: there is no build, and a changed file only needs a restart.
"""

import re
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Final

from rcssmin import cssmin
from rjsmin import jsmin

SPARE: Final = re.compile(r"(?:;(?=})|,(?=[])}])|(?<![\w.$])0(?=\.\d))")
"""Dispensable signs: a semicolon or comma before a closing bracket, and a nought before a decimal point."""
NAMED: Final = re.compile(r"(?<![\w.$])const(?=[ {[])")
"""`const` is replaced by the shorter `let`: the checks of the source have already made sure that no constant is
assigned.
"""


BARE: Final = re.compile(r"(?<![\w.])0(?=\.\d)| (?=/ )|(?<=/) ")
"""Dispensable signs in a style: the nought before a decimal point, and the spaces around a slash."""
QUOTED: Final = re.compile(r'="([a-z]+)"\]')


def styles(text: str) -> str:
    """A sheet without its dispensable parts; a browser's test shows that its rules stay the same."""
    return QUOTED.sub(r"=\1]", BARE.sub("", str(cssmin(text))))


CAST: Final = re.compile(
    r"(/\*\* @type \{[^*]*\} \*/ )\((?!await\b|new\b)([\w$](?:[\w.$]|\((?:[^()]|\([^()]*\))*\)|\[[^][]*\])*)\)"
)
"""Names, calls and members whose brackets are there only for their types."""
TWICE: Final = re.compile(r"\((\(\{[^{}()]*\}\))\)(?!=>)")
"""Objects in two pairs of brackets."""
EMPTY: Final = re.compile(r"(?<![\w.$])(new \w+)\(\)(?=[;,)}\]])")
PLAIN: Final = re.compile(r"JSON\.parse\('[^']*'\)|(?<![\w.$\"'`-])(undefined|true|false)(?![\w$\"'`-])")
"""A value that has a shorter form; no module has a text that contains one."""
LISTED: Final = re.compile(
    r"(?<![\w.$(])(?<!export )(let(?: |(?=[{[]))(?:[^;{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*);let(?: |(?=[{[]))"
)
"""Declarations one after another, which are joined, except that of a loop."""
AROUND: Final = re.compile(r"(\"[^\"]*\")| ?([?:+<>=&|*/,-]+) ?")
HELD: Final = re.compile(r"\$\{(?:[^{}`\"']|\"[^\"{}`]*\")*\}")
"""The expressions in a template text, and the spaces around their signs."""
TEXT: Final = r"\"[^\"{};`]*\""
"""A text without signs that have a meaning in code."""
TRUTH: Final = re.compile(r"(?<![\w.$])Boolean\(([\w$](?:[\w.$?]|\([^()]*\))*)\)")
"""A test whether something exists, which has a shorter form."""
ONLY: Final = re.compile(r"(?<![\w.$])\(([A-Za-z]\w*)\)(?==>)")
"""A single parameter, which needs no brackets."""
INNER: Final = rf"(?:[^(){{}}\"'`/]|{TEXT}|\((?:[^(){{}}\"'`/]|{TEXT}|\((?:[^(){{}}\"'`/]|{TEXT})*\))*\))*"
FIELDS: Final = rf"\{{(?:[^{{}};\"'`/]|{TEXT}|\{{(?:[^{{}};\"'`/]|{TEXT})*\}})*\}}"
SINGLE: Final = rf"\{{((?!let|const|function|class|if|for|while|switch|try|do\b)(?:[^{{}};\"'`/]|{TEXT}|{FIELDS})+)\}}"
"""A single statement, which needs no braces."""
WHEN: Final = re.compile(rf"(?<![\w.$])(if\({INNER}\)){SINGLE}")
LOOP: Final = re.compile(rf"(?<![\w.$])((?:for|while)\({INNER}\)){SINGLE}")
OTHERWISE: Final = re.compile(rf"(?<![\w.$])else{SINGLE}")
UNSET: Final = re.compile(r"(?<=[;{}])([A-Za-z]\w*)=void 0(?=;)|(?<=[ ,])(\w+)=void 0(?=[,;])")
"""A field or a name that is set to undefined, as it is without a value."""
OWN: Final = re.compile(r"^const ([A-Z][A-Z\d_]{2,}) =", re.MULTILINE)
"""A constant that no other module sees, so that its name may be shortened: nobody reads it in a stack trace."""
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SHORTER: Final = {"undefined": "void 0", "true": "!0", "false": "!1"}


def code(text: str) -> str:
    """A module without its dispensable parts: its statements end with semicolons, so no line need end.

    The syntax trees of all modules are compared in a test, which shows that no text or pattern loses anything.
    """
    bare = EMPTY.sub(r"\1", NAMED.sub("let", SPARE.sub("", str(jsmin(CAST.sub(r"\1\2", text))))))
    bare = PLAIN.sub(lambda word: SHORTER[word[1]] if word[1] else word[0], bare).replace("}\n", "}")
    bare = TRUTH.sub(r"!!\1", bare)
    bare = TWICE.sub(r"\1", ONLY.sub(r"\1", bare))
    bare = HELD.sub(lambda held: AROUND.sub(r"\1\2", held[0]), bare)
    bare = OTHERWISE.sub(r"else \1;", WHEN.sub(r"\1\2;", bare)).replace(";}", "}")
    listed = ""
    while listed != bare:
        listed, bare = bare, LISTED.sub(r"\1,", bare)
    return renamed(text, LOOP.sub(r"\1\2;", UNSET.sub(r"\1\2", listed)).replace(";}", "}"))


def renamed(text: str, shortened: str) -> str:
    """A module with a letter for each of its own constants, unless a text, field or other name is equal to either."""
    letters = (letter for letter in LETTERS if not re.search(rf"\b{letter}\b", text))
    for name in OWN.findall(text):
        used = re.compile(rf"(?<![\w.$\"'`{{])(?<!-){name}(?![\w$\"'`:}}])(?!-)")
        if len(used.findall(shortened)) == len(re.findall(rf"\b{name}\b", shortened)) and (letter := next(letters, "")):
            shortened = used.sub(letter, shortened)
    return shortened


PART: Final = re.compile(r"<!-- part (\w+) -->\n?")
"""A place in a page that a file of `server/web/parts` fills; parts may have parts."""


def filled(text: str) -> str:
    """A page with its parts in their places and without the indentation of its lines. Raises `OSError`."""
    whole = PART.sub(lambda part: filled(_file(PurePosixPath("parts", f"{part[1]}.html")).decode()), text)
    return re.sub(r"^[\t ]+", "", whole, flags=re.MULTILINE)


SHORTENED: Final = {".js": code, ".css": styles, ".html": filled}


@cache
def sent(path: PurePosixPath) -> bytes:
    """A file of the client, by its path below `server/web`. Raises `OSError` if there is none."""
    body = _file(path)
    shortened = SHORTENED.get(path.suffix)
    return body if shortened is None else str(shortened(body.decode())).encode()


def _file(path: PurePosixPath) -> bytes:
    return files("server").joinpath("web", *path.parts).read_bytes()
