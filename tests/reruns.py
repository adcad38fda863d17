"""Counts repeated tests: a run prints their number, and fails if there was more than one."""

from typing import Final

import pytest

MOST: Final = 1
"""A browser is lost now and then through no fault of Herald; two losses in a run have a cause."""


class Reruns:
    """Counts the repeats of a run, over all its processes."""

    def __init__(self) -> None:
        self.repeated: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Processes hand their reports to the one that prints them."""
        outcome: str = report.outcome  # pytest-rerunfailures adds one to those that pytest has
        if outcome == "rerun":
            self.repeated.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """More repeats than one are a failure, even where everything passed in the end."""
        if len(self.repeated) > MOST and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say the number in every run."""
        number = len(self.repeated)
        verdict = f", of which at most {MOST} may be: this run has failed" if number > MOST else ""
        terminalreporter.write_line(f"tests repeated: {number}{verdict}")


def pytest_configure(config: pytest.Config) -> None:
    """The processes that only run tests have nothing to count."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reruns())
