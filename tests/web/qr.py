"""The page's own encoder of QR codes, run without a page."""

import json
from pathlib import Path
from typing import Any

from tests.web.node import node


def encoded(*texts: str) -> list[dict[str, Any]]:
    """Version, mask and rows of modules (1 is dark), for each text."""
    told = node(Path(__file__).with_name("encode_qr.mjs"), json.dumps(texts))
    return [json.loads(line) for line in told.splitlines()]
