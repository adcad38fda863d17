"""`herald docs`: the documents in the browser, from this machine."""

import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import click

from server.cli.common import console
from server.cli.errors import Amiss
from server.cli.words import word

BUILT: Final = Path(__file__).parents[2] / "dist" / "docs"
"""The folder into which `scripts/docs` builds the site, in a checkout."""


class _Pages(SimpleHTTPRequestHandler):
    """Files of a folder, without a line for each on the terminal."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Say nothing."""


@click.command("docs")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port.  [default: any]")
@click.option("--no-browser", is_flag=True, help="Print the address, and do not open a browser.")
@click.option(
    "--site",
    type=click.Path(file_okay=False, path_type=Path),
    default=BUILT,
    metavar="PATH",
    help="The folder that scripts/docs has built.  [default: dist/docs of the checkout]",
)
def docs(port: int, no_browser: bool, site: Path) -> None:
    """Open the documents in the browser: how to play, host, organise, audit, and write bots and games.

    They are served from this machine, and read without the network; stop with Ctrl+C.
    """
    if not (site / "index.html").is_file():
        raise Amiss(
            word(
                "There are no built documents in {site}. In a checkout of Herald `./scripts/docs` builds them; its"
                " folder docs holds them as plain text.",
                site=site,
            )
        )
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Pages, directory=str(site)))
    except OSError as wrong:
        raise Amiss(word("Port {port} cannot be had: {why}.", port=port, why=wrong.strerror)) from wrong
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    console.print(word("The documents are at [cyan]{address}[/]; stop with Ctrl+C", address=address))
    if not no_browser:
        webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        console.print(word("Stopping."))
    finally:
        server.server_close()


COMMANDS = (docs,)
"""The commands that this module adds to `herald`."""
