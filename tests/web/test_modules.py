"""The client's pure modules, in Node."""

from pathlib import Path

from tests.web.node import node


def test_patches_timeline_and_geometry() -> None:
    node(Path(__file__).with_name("modules.mjs"))
