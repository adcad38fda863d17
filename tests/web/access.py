"""Shared by `test_access` and other tests: SMALL, UNNAMED, axe."""

from pathlib import Path

from tests.web.browser import Page

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text()


VIOLATIONS = """axe.run(document, { resultTypes: ["violations"] }).then(found => found.violations
    .filter(v => ["serious", "critical"].includes(v.impact)).map(v => [v.id, v.nodes.map(n => n.html)]))"""


def axe(page: Page, where: str) -> None:
    page.wait("!window.herald || !herald.fx.busy")
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"{AXE}; true")
    found = page.evaluate(VIOLATIONS)
    assert not found, f"{where}: {found}"


UNNAMED = """[...document.querySelectorAll("button, a, input, select, [role=button]")]
    .filter(e => e.checkVisibility() && !(e.ariaLabel || e.textContent.trim() || e.title || e.labels?.length))
    .map(e => e.outerHTML)"""


SMALL = """[...document.querySelectorAll("button, a, select, summary")].filter(e => e.checkVisibility())
    .filter(e => !e.closest(".stage, .lines")).map(e => [e.getBoundingClientRect(), e.outerHTML])
    .filter(([r]) => r.width && (r.width < 24 || r.height < 24)).map(x => x[1])"""
"""Words that are wider than what they stand on."""
