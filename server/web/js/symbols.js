// Shows pictures of a game's symbols wherever a sentence names them. The words stay, for programs that read them.
import { h } from "./dom.js";
import { glyph } from "./glyph.js";
import { dieFace } from "./piece.js";

/** The places whose words are not sentences, or have their picture already. */
const APART = ".sy,.die ~ .ol,#info .rows,kbd,input,textarea,select";

/** Draws symbols in one more element, once a table draws any. @type {(root: HTMLElement) => void} */
export let drawIn = () => {};

/** The words that are searched for, and their pictures. @typedef {{ every: RegExp, by: Map<string, Words.Symbol> }} Known */

/** @param {Words.Symbol[]} symbols @returns {Known | undefined} */
function known(symbols) {
	const texts = symbols.map(({ t }) => t.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).sort((a, b) => b.length - a.length);
	const every = new RegExp(`(?<![\\p{L}\\p{N}])(${texts.join("|")})(?![\\p{L}\\p{N}])`, "u");
	return texts.length ? { every, by: new Map(symbols.map(symbol => [symbol.t, symbol])) } : undefined;
}

/** @param {Words.Symbol} symbol */
function picture({ t, g = "", tone = "", form, only }) {
	const toned = tone ? `.tn-${tone}` : "";
	if (form === "die") {
		return h("span.sy", { "aria-hidden": true }, dieFace(/** @type {Words.Die} */ ({ t: tone, f: g }), ".sm"));
	}
	const shape = form ? `.${form}` : "";
	const drawn = h(`span${shape}${toned}`, { "aria-hidden": true, title: t }, g && glyph(g));
	return h("span.sy", drawn, only && h("span.vh", t));
}

/** Whether a text's row already begins with the same picture, as the sign of its item. @param {Text} text @param {Words.Symbol} symbol */
function hasSign(text, { g }) {
	/** @type {Node | null} */
	let at = text;
	while (at && !at.previousSibling && at.parentElement?.matches(".ol, .lb, h3")) {
		at = at.parentElement;
	}
	const before = at?.previousSibling;
	return before instanceof Element && before.querySelector("use")?.getAttribute("href") === `#g-${g}`;
}

/** Puts pictures before the words of a text that have one. @param {Text} text @param {Known} symbols */
function draw(text, { every, by }) {
	const parts = text.data.split(every);
	const before = text.previousSibling;
	// a name whose surroundings were moved, copied or redrawn already has its picture before it
	const isDrawn = by.has(text.data) && before instanceof Element && before.matches(".sy");
	if (parts.length < 2 || isDrawn || text.parentElement?.closest(APART)) {
		return;
	}
	const drawn = parts.flatMap((part, i) => {
		const symbol = i % 2 ? by.get(part) : undefined;
		if (!symbol || (!parts[0] && i === 1 && hasSign(text, symbol))) {
			return part;
		}
		// a line ends before the picture, not between it and its word
		return symbol.only ? picture(symbol) : h("span.sw", picture(symbol), part);
	});
	text.replaceWith(...drawn.filter(part => part !== ""));
}

/** @param {Node} node @param {Known | undefined} symbols */
function drawAll(node, symbols) {
	if (!symbols || !node.isConnected) {
		return;
	}
	const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
	/** @type {Text[]} */
	const texts = [];
	for (let text = walk.nextNode(); text; text = walk.nextNode()) {
		texts.push(/** @type {Text} */ (text));
	}
	texts.forEach(text => draw(text, symbols));
}

/** Draws symbols in everything that is added to some elements. @param {import("./view.js").View} view @param {HTMLElement[]} roots */
export function drawSymbols(view, roots) {
	let of = "";
	/** @type {Known | undefined} */
	let symbols;
	const learn = () => {
		const now = JSON.stringify(view.scene?.symbols ?? []);
		if (now !== of) {
			of = now;
			symbols = known(view.scene?.symbols ?? []);
			roots.forEach(root => drawAll(root, symbols));
		}
	};
	const look = (/** @type {MutationRecord[]} */ changes) => {
		learn();
		changes.forEach(({ addedNodes }) => addedNodes.forEach(node => drawAll(node, symbols)));
	};
	learn();
	const observer = new MutationObserver(look);
	drawIn = root => observer.observe(root, { childList: true, subtree: true });
	roots.forEach(drawIn);
}
