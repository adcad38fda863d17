"""The server's log: lines of text or JSON on standard error, without tokens, secrets or the messages of errors.

A line names the connection or request, and the match, to which it belongs, if any.
"""

import logging
import secrets
import sys
import threading
import time
from contextvars import ContextVar
from types import TracebackType
from typing import Final, Literal

import msgspec

from server.errors import place_of

LOG = logging.getLogger(__name__)
Format = Literal["json", "text"]
Level = Literal["debug", "info", "warning", "error"]
REQUEST: Final[ContextVar[str]] = ContextVar("request", default="")
"""The id of the connection or request that is being served; random, so that it only shows which lines
belong together.
"""
MATCH: Final[ContextVar[str]] = ContextVar("match", default="")
"""The match that is being served."""
process = ""
"""The number of this process in its server; empty if there is only one."""
OWN: Final = ("server", "replay", "projections", "domain", "scripts")
"""Herald's own loggers. Other loggers write only warnings, because they may log the data that they handle."""


def new_request() -> str:
    """Begin a connection or request: everything that this task logs from now on has the id of that connection or
    request.
    """
    name = secrets.token_hex(4)
    REQUEST.set(name)
    return name


class _Line(logging.Formatter):
    """The part that both formats share; it shows only the kind and the place of an exception."""

    def fields(self, record: logging.LogRecord) -> dict[str, str]:
        """The parts of a line, in order; empty parts are omitted."""
        found = {
            "time": f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": REQUEST.get(),
            "match": MATCH.get(),
            "process": process,
        }
        if record.exc_info and record.exc_info[1]:
            found["error"] = place_of(record.exc_info[1])
        return {name: value for name, value in found.items() if value}


class Json(_Line):
    """Formats each line as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return msgspec.json.encode(self.fields(record)).decode()


class Text(_Line):
    """Formats each line for people; unprintable characters are escaped, so that nobody can forge a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        fields = self.fields(record)
        head = f"{fields.pop('time')} {fields.pop('level'):<7} {fields.pop('logger')}: {_shown(fields.pop('message'))}"
        return head + "".join(f" {name}={_shown(value)}" for name, value in fields.items())


def _shown(text: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _is_ours(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING or record.name.partition(".")[0] in OWN


def is_json() -> bool:
    """Whether the log is written as JSON, so that nothing else may be written to the same output."""
    return any(isinstance(handler.formatter, Json) for handler in logging.getLogger().handlers)


def take_faults() -> None:
    """From now on, also write uncaught exceptions and warnings to the log."""
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda fault: _log_uncaught(fault.exc_type, fault.exc_value, fault.exc_traceback)


def _log_uncaught(kind: type[BaseException], wrong: BaseException | None, traceback: TracebackType | None) -> None:
    del traceback
    LOG.error("nothing has caught: %s", place_of(wrong or kind()))


def start(form: Format = "text", level: Level = "info") -> None:
    """Write the log to standard error from now on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if form == "json" else Text())
    handler.addFilter(_is_ours)
    root = logging.getLogger()
    for old in root.handlers[:]:
        if isinstance(old.formatter, _Line):
            root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    # From this level on, the library logs little about a connection that Herald does not log itself, with its id.
    logging.getLogger("server.wire").setLevel(max(logging.WARNING, root.level))
