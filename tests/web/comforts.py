"""Shared by `test_comforts` and other tests: PASS, STILL, asked, resign."""

import json
from collections.abc import Mapping, Sequence

from tests.web.browser import Page
from tests.web.hand import ASK, hand, seen

OVER = "herald.scene.prompt.mode === 'over'"


def resign(page: Page) -> None:
    page.evaluate("window.confirm = () => true")
    hand(page, seen(page, "#tools [data-ico=flag]"))
    hand(page, seen(page, "#acts [value=resign]"))
    page.wait(OVER)


PASS = [{"id": "0", "label": "attack"}, {"id": "1", "label": "let it pass", "tone": "quiet"}]


def asked(page: Page, options: Sequence[Mapping[str, object]], mode: str = "you", ask: str = "React?") -> None:
    """A question as the server would ask it, sent through every listener for Scenes; a new one each time."""
    fields = [{"id": "choice", "type": "one", "options": options}] if options else []
    page.evaluate(
        f"{ASK.replace('SCENE', 'herald.scene')}({json.dumps(fields)}, {json.dumps({'mode': mode, 'ask': ask})});"
        "herald.view.seen.forEach(look => look(herald.scene))"
    )


STILL = """document.getAnimations().every(
    shown => shown.playState !== "running" || shown.effect.getTiming().iterations === Infinity
)"""
