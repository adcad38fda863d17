// The inspector: the messages that one connection to a match is sent, and the view to which they fold.
import { Match } from "../client/match.js";
import { readLink, socketOf } from "../client/links.js";
import { Key } from "../client/seatkey.js";
import { Server } from "../client/server.js";
import { $, button, clear, h, inputAt } from "../js/dom.js";
import { addSheet, glyph, initGlyphs } from "../js/glyph.js";
import { myMatches, otherTheme, tools } from "../js/prefs.js";
import { Frames } from "./frames.js";
import { ChainPane, QuestionPane, ScenePane, ViewPane } from "./panes.js";
import { Tap, viewerOf } from "./tap.js";

const PANES = ["messages", "question", "view", "scene", "chain"];
const SIDE = "question";
const NARROW = matchMedia("(max-width: 900px)");
const net = $("#net");

/** Shows one pane; on a wide page the messages stay beside it. @param {string} name */
function showPane(name) {
	const wide = !NARROW.matches;
	const chosen = wide && name === "messages" ? SIDE : name;
	for (const pane of PANES) {
		$(`#${pane}`).hidden = pane !== chosen && !(wide && pane === "messages");
		$(`#panes [data-pane=${pane}]`).ariaSelected = String(pane === chosen);
	}
	document.dispatchEvent(new Event("shown"));
}

function drawTabs() {
	const tabs = PANES.map(pane => {
		const label = pane[0].toUpperCase() + pane.slice(1);
		const onclick = () => showPane(pane);
		return button("", { role: "tab", "data-pane": pane, "aria-controls": pane, onclick }, label);
	});
	clear($("#panes"), tabs);
	$("#panes").hidden = false;
	showPane(NARROW.matches ? "messages" : SIDE);
	NARROW.addEventListener("change", () => showPane("messages"));
}

/** Tells where the match stands. @param {Match} match */
function drawTop(match) {
	const seal = $("#seal");
	const { fault } = match.verifier;
	seal.hidden = false;
	seal.classList.toggle("broken", Boolean(fault));
	seal.textContent = fault ? `broken at line ${fault.seq}` : `verified to line ${match.head.seq}`;
	net.hidden = false;
	net.classList.toggle("off", !match.connected);
	net.textContent = match.connected ? "connected" : "not connected";
	$("#who").textContent = `${match.title || match.game}, ${viewerOf(match.viewer)}`;
}

/** Follows a match until it is left. @param {Match} match @param {import("../client/links.js").Link} link */
async function follow(match, link) {
	const chain = new ChainPane();
	const panes = [new QuestionPane(), new ViewPane(link), new ScenePane(), chain];
	const draw = () => {
		drawTop(match);
		panes.forEach(pane => pane.draw(match));
	};
	document.addEventListener("shown", draw);
	for await (const news of match) {
		if (news.kind === "lines") {
			chain.waiting.push(...news.lines);
		}
		if (news.kind === "asked") {
			$("#live").textContent = news.prompt.ask;
		}
		requestAnimationFrame(draw);
	}
}

/** Shows the form to enter a match again, with the reason why nothing can be shown. @param {unknown} wrong */
function failed(wrong) {
	document.body.classList.remove("in");
	for (const pane of ["panes", ...PANES]) {
		$(`#${pane}`).hidden = true;
	}
	$("#door").hidden = false;
	const { message } = /** @type {Error} */ (wrong);
	const told = $("#wrong");
	told.hidden = false;
	told.textContent = message;
}

/** Opens a connection with what an address holds, and shows it. @param {string} href */
async function inspect(href) {
	const link = readLink(href);
	const frames = new Frames();
	const tap = new Tap(frame => frames.take(frame));
	const key = link.key ? await Key.read(link.key) : undefined;
	const options = { key, gives: false, stay: true, WebSocket: tap.sockets, name: "Inspector" };
	drawTabs();
	$("#door").hidden = true;
	document.body.classList.add("in");
	Object.assign(globalThis, { inspected: { tap } });
	try {
		const match = await Match.open(socketOf(link.server), link.match, link.token, options);
		Object.assign(globalThis, { inspected: { tap, match } });
		await follow(match, link);
	} catch (wrong) {
		failed(wrong);
	}
}

/** A match that one may go into. @param {string} href @param {string} title @param {string} who */
const known = (href, title, who) => h("li", h("a", { href }, title), h("span.quiet", who));

/** One's own seats of this browser, and what may be watched. */
async function drawKnown() {
	const mine = myMatches().map(held => {
		const key = held.key ? `&k=${held.key}` : "";
		return known(`#m=${held.match}&t=${held.token}${key}`, held.title, `your seat ${held.seat + 1}`);
	});
	clear($("#known"), mine);
	const { running, open } = await new Server(location.origin).matches();
	const watched = [...running, ...open].map(one => known(`#m=${one.match}`, one.title || one.game, "as a spectator"));
	const none = !mine.length && !watched.length && h("li.quiet", "There is no match yet.");
	$("#known").append(...watched, ...(none ? [none] : []));
}

/** A link as it was typed: whole, its end alone, or only a match's id. @param {string} text */
function typed(text) {
	const hash = text.includes("#") ? text.slice(text.indexOf("#")) : `#m=${text}`;
	return hash;
}

function start() {
	if (location.hash) {
		inspect(location.href).catch(failed);
		return;
	}
	$("#enter").onsubmit = event => {
		event.preventDefault();
		location.hash = typed(inputAt("#link").value.trim());
	};
	drawKnown().catch(failed);
}

await initGlyphs();
addSheet(await (await fetch("/glyphs/core.json")).json());
$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme });
addEventListener("hashchange", () => location.reload());
start();
document.body.dataset.ready = "1";
