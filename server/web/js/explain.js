// Explains pieces and words in place, in the words of the game's glossary: by the pointer after a while, by a long
// press, by ? at the keyboard's focus. Ids of rules become links. Loaded when the page is first touched.
import { refsOf } from "./answers.js";
import { $, clear, h, addStyle } from "./dom.js";
import { Foresight } from "./foresight.js";
import { inline, say } from "./page.js";
import { ID, link, linked, Rulebook, termShown, wordsOf } from "./rulebook.js";

const HOVER_MS = 450;
const PRESS_MS = 480;
const LEAVE_MS = 300;
const GAP_PX = 8;
/** The number of sentences on a card; for further terms it shows only the names. */
const MOST = 5;
const EXPLAINED =
	"[data-ref],#prompt [data-o],#prompt .rg .die,#prompt .ask,#prompt .why,#prompt .ph,#lines > *,#crumbs span,.mks > span";
/** The signs beside a player's name, which a tap explains because it does nothing else there. */
const SIGNS = ".seat .ct,.mks > span";

/** @typedef {import("./rulebook.js").Term} Term */
/** @typedef {import("./rulebook.js").TermsByKey} TermsByKey */

/** @type {Explainer | undefined} */
let made;

/** The explainer, made once. @param {import("./view.js").View} view @param {import("./live.js").Live} live */
export function explainer(view, live) {
	made ??= new Explainer(view, live);
	return made;
}

/** The terms whose names occur in a text, which is English. @param {TermsByKey} words @param {string} text */
function namedIn(words, text) {
	const found = Object.keys(words).flatMap(key => {
		const called = words[key].english || words[key].name;
		// a name of several words is also found with a small initial, which it has within a sentence
		const name = called.replace(/[^\w ]/g, "\\$&").replace(/^\w(?=.* )/, first => `[${first}${first.toLowerCase()}]`);
		// faces of dice are written in lower case
		const named = new RegExp(`(?<!\\w)${name}(e?s)?(?!\\w)`, key.startsWith("face-") ? "i" : "");
		const at = /^[a-z]/.test(key) && !key.startsWith("cue.") ? text.search(named) : -1;
		return at < 0 ? [] : [{ key, at, size: called.length }];
	});
	// of names within names, the longer one counts
	const meant = found.filter(
		one => !found.some(other => other.size > one.size && other.at <= one.at && one.at < other.at + other.size),
	);
	return meant.sort((a, b) => a.at - b.at).map(one => one.key);
}

/** The terms of a ref as the Scene names them. @param {Scene} scene @param {string} ref @returns {string[]} */
function termsAt(scene, ref) {
	const [base, slot] = ref.split("#");
	if (base.startsWith("c:")) {
		const [seat, name] = base.slice(2).split("/");
		return [scene.seats[seat]?.counters[name]?.term ?? ""];
	}
	const thing = scene.pieces[base.split("/")[0]] ?? scene.zones[base];
	const { slots = {}, geom } = scene.zones[base] ?? {};
	// a number of a table is named after the thing that it counts
	const own = thing?.terms ?? [base];
	const there = slots[slot]?.short ? ["opening", ...own] : own;
	return geom?.areas?.[slot]?.terms ?? geom?.edges?.[slot]?.terms ?? there;
}

/** The name of a ref. @param {Scene} scene @param {string} ref */
function titleAt(scene, ref) {
	const [base, slot] = ref.split("#");
	const [id, half] = base.split("/");
	if (base.startsWith("c:")) {
		return "";
	}
	const piece = scene.pieces[id];
	const zone = scene.zones[base];
	const end = piece?.ends?.[Number(half)];
	return (
		end?.label ??
		piece?.title ??
		piece?.backTitle ??
		(zone?.slots?.[slot] ?? zone?.geom.areas?.[slot] ?? zone?.geom.edges?.[slot])?.label ??
		zone?.label ??
		zone?.aria ??
		""
	);
}

/** Makes links in texts outside of buttons. @param {Node} root */
function linkIn(root) {
	const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	/** @type {Text[]} */
	const texts = [];
	while (walker.nextNode()) {
		const text = /** @type {Text} */ (walker.currentNode);
		if (text.data.search(ID) >= 0 && !text.parentElement?.closest("button,select,.rid,#book,#explain")) {
			texts.push(text);
		}
	}
	for (const text of texts) {
		text.replaceWith(...linked(text.data, text.parentElement?.closest("#lines") ? -1 : 0));
	}
}

export class Explainer {
	/** The element whose card is shown, or will be. @type {Element | null} */
	at = null;
	timer = 0;
	/** Whether the mouse still rests where it pressed something: anything that has moved under it since was not pointed at. */
	rests = false;
	/** The question in which the mouse pressed something. @type {string | undefined} */
	pressed = undefined;
	/** Whether a finger has rested long enough to count as reading, with or without a card. */
	reads = false;

	/** @param {import("./view.js").View} view @param {import("./live.js").Live} live */
	constructor(view, live) {
		this.view = view;
		this.foresight = new Foresight(view, live);
		this.card = h("div", { id: "explain", role: "tooltip", tabindex: "-1", hidden: true });
		this.book = new Rulebook(() => view.scene?.game ?? "");
		if (!inline) {
			addStyle({ href: "/css/explain.css" });
		}
		document.body.append(this.card);
		import("./symbols.js").then(({ drawIn }) => drawIn(this.card));
		this.hearPointer();
		this.hearKeys();
		this.hearPrompt();
		this.link();
	}

	hearPointer() {
		for (const kind of /** @type {const} */ (["over", "down", "up", "move"])) {
			addEventListener(`pointer${kind}`, event => this[kind](event), true);
		}
		addEventListener("click", event => this.clicked(event), true);
		/** @param {Event} event */
		const scrolled = event => /** @type {Node} */ (event.target).contains(this.at) && this.hide();
		addEventListener("scroll", scrolled, { capture: true, passive: true });
	}

	/** @param {PointerEvent} event */
	over(event) {
		const on = /** @type {Element} */ (event.target);
		if (event.pointerType !== "mouse" || this.rests || on.closest?.("#explain")) {
			clearTimeout(this.timer);
			return;
		}
		const at = this.view.board.stage.classList.contains("dragging") ? null : (on.closest?.(EXPLAINED) ?? null);
		if (at === this.at) {
			return;
		}
		clearTimeout(this.timer);
		const wait = at ? HOVER_MS : LEAVE_MS;
		this.timer = setTimeout(() => (at ? this.show(at) : this.hide()), wait);
		this.at = at;
	}

	/** @param {PointerEvent} event */
	up(event) {
		clearTimeout(this.timer);
		this.rests = event.pointerType === "mouse";
		this.pressed = this.view.prompt.p?.id;
	}

	/** @param {PointerEvent} event */
	move(event) {
		if (!event.movementX && !event.movementY) {
			return;
		}
		if (event.pointerType !== "mouse") {
			clearTimeout(this.timer);
		} else if (this.rests && !event.buttons) {
			this.rests = false;
			this.over(event);
			const on = /** @type {Element} */ (event.target);
			if (this.view.prompt.root.contains(on)) {
				this.point(on);
			}
		}
	}

	/** Looks at the option under the pointer or the keyboard's focus. @param {Element} on */
	point(on) {
		const row = on.closest("[data-o]");
		const [ref] = refsOf(this.view.prompt.option(row?.getAttribute("data-o") ?? ""));
		this.view.inspect(ref);
		this.foresight.point(row);
	}

	/** @param {PointerEvent} event */
	down(event) {
		const on = /** @type {Element} */ (event.target);
		this.reads = false;
		if (on.closest?.("#explain")) {
			return;
		}
		this.hide();
		const at = on.closest?.(EXPLAINED);
		if (at && event.pointerType !== "mouse") {
			this.timer = setTimeout(() => {
				this.reads = true;
				this.show(at);
			}, PRESS_MS);
		}
	}

	/** @param {MouseEvent} event */
	clicked(event) {
		const on = /** @type {Element} */ (event.target);
		const id = on.closest?.("[data-rid]")?.getAttribute("data-rid");
		const sign = on.closest?.(SIGNS);
		if (event.detail && this.reads) {
			// a finger that rested on something was reading: it chose no option, and no link of the card that came under it
			event.stopPropagation();
		} else if (id) {
			event.stopPropagation();
			this.hide();
			this.at = on.closest(EXPLAINED);
			this.book.open(id);
		} else if (sign && /** @type {PointerEvent} */ (event).pointerType === "touch") {
			this.show(sign);
		}
	}

	/** When an option is pointed at, marks the pieces on the table that it uses. */
	hearPrompt() {
		const { root } = this.view.prompt;
		for (const kind of ["pointerover", "focusin"]) {
			root.addEventListener(kind, event => {
				const on = /** @type {Element} */ (event.target);
				if (this.rests && this.pressed !== this.view.prompt.p?.id && !on.matches(":focus-visible")) {
					return;
				}
				this.point(on);
			});
		}
		root.addEventListener("pointerleave", () => {
			this.foresight.point();
			this.view.inspect(null);
		});
	}

	hearKeys() {
		/** @param {KeyboardEvent} event */
		const heard = event => {
			if (this.press(event.key, document.activeElement)) {
				event.stopImmediatePropagation();
				event.preventDefault();
			} else if (event.key.length === 1 && !event.ctrlKey) {
				// a viewer who answers by keys has done reading
				this.hide();
			}
		};
		addEventListener("keydown", heard, true);
	}

	/** Handles a key; returns whether it had an effect here. @param {string} key @param {Element | null} on where the keyboard is */
	press(key, on) {
		const id = on?.getAttribute("data-rid");
		const at = on?.closest(EXPLAINED);
		if (key === "Enter" && id) {
			this.hide();
			this.book.open(id);
		} else if (key === "?" && at) {
			this.show(at, true);
		} else if (key === "Escape" && !this.card.hidden && !on?.closest("#book")) {
			this.hide();
		} else {
			return false;
		}
		return true;
	}

	/** Turns ids of rules into links, also in texts that are written later. */
	link() {
		const rail = $("#rail");
		const watch = new MutationObserver(changes => {
			for (const change of changes) {
				for (const node of change.addedNodes) {
					if (node.isConnected) {
						linkIn(node);
					}
				}
			}
			watch.takeRecords();
		});
		linkIn(rail);
		watch.observe(rail, { childList: true, subtree: true });
	}

	hide() {
		clearTimeout(this.timer);
		if (!this.card.hidden) {
			if (this.reads) {
				// the finger that read an option no longer points at it
				this.view.prompt.hover(null);
			}
			if (this.card.contains(document.activeElement)) {
				/** @type {HTMLElement | null} */ (this.at)?.focus?.();
			}
			this.card.hidden = true;
		}
		this.at = null;
	}

	/** The terms of an element, and its name. @param {Element} at @param {TermsByKey} words @returns {[string, string[]]} */
	about(at, words) {
		const { scene, prompt } = this.view;
		const ref = at.getAttribute("data-ref");
		const [meant] = at.closest(".chips") ? refsOf(prompt.option(at.getAttribute("data-o") ?? "")) : [];
		const its = (!at.closest("#lines") && ref) || meant;
		if (its && scene) {
			return [titleAt(scene, its), termsAt(scene, its)];
		}
		// the text without the option's key, its parts apart, so that adjacent words do not run together
		const parts = at.querySelector(".ol")?.childNodes ?? [at];
		const text = at.getAttribute("title") ?? [...parts].map(part => part.textContent).join(" ");
		if (ref && scene) {
			return [titleAt(scene, ref), [...termsAt(scene, ref), ...namedIn(words, text)]];
		}
		const asked = at.closest(".ask,.why") ? (prompt.p?.terms ?? []) : [];
		return ["", [...asked, ...namedIn(words, text)]];
	}

	/** Shows the card of an element, if there is something to say. @param {Element} at @param {boolean} [keyboard] */
	async show(at, keyboard = false) {
		this.at = at;
		const words = await wordsOf(this.view.scene?.game ?? "");
		if (this.at !== at || !at.isConnected) {
			return;
		}
		const [title, keys] = this.about(at, words);
		const terms = [...new Set(keys)].filter(key => key in words).map(key => words[key]);
		// a finger has no other place to read the consequences
		const follows = this.reads ? [...at.querySelectorAll(".sb")].map(said => h("p", said.textContent)) : [];
		this.card.hidden = !terms.length && !follows.length;
		if (this.card.hidden) {
			return;
		}
		const heading = title && title !== terms[0]?.name ? h("h3", title) : null;
		const rows = terms.slice(0, MOST).map(term => termShown(term));
		const others = terms.slice(MOST).map(({ name }) => link(name, name));
		clear(this.card, heading, follows, h("dl", rows), others.length > 0 && h("p.others", others));
		this.place(at.getBoundingClientRect(), this.neighbours(at));
		if (keyboard) {
			this.card.focus();
			say(terms.map(term => `${term.name}: ${term.text}`).join(" "));
		}
	}

	/** The extent of the pieces in an element's zone, which the viewer looks at next. @param {Element} at */
	neighbours(at) {
		const zones = this.view.scene?.pieces ?? {};
		const zoneOf = (/** @type {Element} */ e) => zones[e.getAttribute("data-ref") ?? ""]?.zone;
		const zone = zoneOf(at);
		const all = zone ? [...this.view.board.stage.querySelectorAll(".pc")].filter(e => zoneOf(e) === zone) : [at];
		const rects = all.map(e => e.getBoundingClientRect());
		return { top: Math.min(...rects.map(r => r.top)), bottom: Math.max(...rects.map(r => r.bottom)) };
	}

	/** Puts the card beside the element that it explains, within the window. @param {DOMRect} by @param {{ top: number, bottom: number }} all */
	place(by, all) {
		const { offsetWidth: w, offsetHeight: hgt, style } = this.card;
		const rail = $("#rail").getBoundingClientRect();
		// the question and the chronicle stay readable, if they are beside the board
		const edge = rail.left > w ? rail.left : innerWidth;
		const from = Math.min(by.left, edge);
		const right = by.right + GAP_PX + w <= edge;
		const left = from - GAP_PX - w;
		// a narrow piece is part of a row, such as a hand: the next ones are beside it
		const above = all.top - GAP_PX - hgt;
		const isClear = above >= 0 || all.bottom + GAP_PX + hgt <= innerHeight;
		const beside = !isClear && (right || left >= 0) && by.width > by.height;
		const besideX = right ? by.right + GAP_PX : left;
		const x = beside ? besideX : by.left;
		const { top, bottom } = isClear ? all : by;
		const under = bottom + GAP_PX + hgt <= innerHeight ? bottom + GAP_PX : top - GAP_PX - hgt;
		const y = beside ? by.top : under;
		/** @param {number} at @param {number} most */
		const fit = (at, most) => `${Math.max(GAP_PX, Math.min(at, most - GAP_PX))}px`;
		style.left = fit(x, edge - w);
		style.top = fit(y, innerHeight - hgt);
	}
}
