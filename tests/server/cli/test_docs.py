"""`herald docs`: the built site, on this machine alone, or a sentence that says how to build it."""

import re
import subprocess
import sys
import urllib.request
from pathlib import Path

from click.testing import CliRunner

from server.cli import main


def test_the_built_site_is_served_where_it_says(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Herald</title>")
    command = [sys.executable, "-m", "server.cli", "docs", "--no-browser", "--site", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())
            assert found
            with urllib.request.urlopen(found[0]) as page:
                assert page.read() == b"<title>Herald</title>"
        finally:
            server.terminate()


def test_without_a_site_it_is_said_how_to_build_one(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["docs", "--site", str(tmp_path)])
    assert done.exit_code == 1
    assert "./scripts/docs" in done.stderr
