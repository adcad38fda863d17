"""The overlay for streaming software: seen through, large enough, each element alone, back by itself."""

import struct
import zlib
from base64 import b64decode
from pathlib import Path

import anyio
import pytest

import herald_client
from tests.web.browser import Browser, Page
from tests.web.serving import Served

SMALLEST = """(() => {
    const told = [...document.querySelectorAll("main *")].filter(e => e.checkVisibility() && e.textContent.trim());
    return Math.min(...told.map(e => parseFloat(getComputedStyle(e).fontSize)));
})()"""
SHOWN = """[...document.querySelectorAll(".nm,.clk,.cts,#phase,#dice,#headline")]
    .filter(e => e.checkVisibility()).map(e => e.id || e.className)"""
CHANCES = """(chance => {
    chance.hidden = false;
    chance.replaceChildren(...["Ada 67 % 47 %–82 %", "Won of 24 matches"].map(text => {
        const told = document.createElement("p");
        told.textContent = text;
        return told;
    }));
})(document.querySelector("#chance"))"""
"""The chance to win as it stands there once it is worked out, which takes a while."""
INITIATIVE = """(dice => {
    dice.querySelector(".groups").innerHTML = ["Ada", "Gentle bot"].map(name => `<div class="rg">
        <span class="rl">${name}</span><span class="rd"><span class="die"><b>6</b></span></span>
        <span class="rs">+1 lost Units</span></div>`).join("");
    const result = dice.querySelector(".result") ?? dice.appendChild(document.createElement("p"));
    result.className = "result";
    result.textContent = "Gentle bot has the initiative";
    return result.getBoundingClientRect().bottom <= dice.getBoundingClientRect().bottom;
})(document.querySelector("#dice"))"""
"""Whether the result of two seats' dice is seen below them."""
CONTROLS = 'document.querySelectorAll("a,button,input,select,[tabindex]").length'


def corner(page: Page) -> bytes:
    """Red, green, blue and alpha of the middle of the right edge, as streaming software receives it."""
    page.call("Emulation.setDefaultBackgroundColorOverride", color={"r": 0, "g": 0, "b": 0, "a": 0})
    clip = {"x": 1278, "y": 300, "width": 1, "height": 1, "scale": 1}
    data = b64decode(page.call("Page.captureScreenshot", format="png", clip=clip)["data"])
    at = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[at - 4 : at])
    assert data[25] == 6, "with an alpha channel"
    return zlib.decompressobj().decompress(data[at + 4 : at + 4 + length])[1:5]


async def created(url: str) -> str:
    bots = [herald_client.bot("steady"), herald_client.bot("steady")]
    return (await herald_client.Server(url).create("vera_discordia", bots)).match


@pytest.mark.whole
def test_a_match_is_laid_over_a_picture_and_goes_on_after_the_server_was_away(browser: Browser, tmp_path: Path) -> None:
    served = Served(tmp_path, "--bot-delay", "0.3")
    served.start()
    match = anyio.run(created, served.url)
    page = browser.page()
    page.size(1280, 720)
    page.goto(f"{served.url}/overlay/{match}?lang=en")
    page.wait("Number(document.body.dataset.seq) > 40 && document.querySelector('#headline').checkVisibility()")
    page.wait("document.querySelector('#dice').checkVisibility()")
    page.evaluate(CHANCES)
    page.wait("document.querySelector('#dice').checkVisibility()")
    assert page.evaluate(INITIATIVE)
    page.screenshot("overlay-initiative")
    lowest = "document.querySelector('#headline').getBoundingClientRect().bottom"
    assert page.evaluate(f"{lowest} <= innerHeight"), "dice and chances leave the headline its place"
    assert page.evaluate(SMALLEST) >= 28
    assert page.evaluate(CONTROLS) == 0
    assert page.evaluate("getComputedStyle(document.body).cursor") == "none"
    assert corner(page)[3] == 0
    page.screenshot("overlay-720")
    served.kill()
    page.wait("document.querySelector('#trouble').checkVisibility()")
    seen = page.evaluate("document.body.dataset.seq")
    served.start()
    page.wait(f"Number(document.body.dataset.seq) > {seen} + 5")
    page.wait("document.querySelector('#trouble').hidden")
    assert [error for error in page.errors if "ERR_CONNECTION_REFUSED" not in error] == []
    page.goto(f"{served.url}/overlay/{match}?show=dice")
    page.wait("document.querySelector('#dice').checkVisibility()")
    assert page.evaluate(SHOWN) == ["dice"]
    served.kill()
