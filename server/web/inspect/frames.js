// The list of messages, newest first; a message shows its text when it is opened.
import { $, button, clear, h } from "../js/dom.js";
import { brief } from "./tap.js";
import { Tree } from "./tree.js";

/** @typedef {import("./tap.js").Frame} Frame */

/** Kinds that come all the time and say little. */
const QUIET = ["ping", "pong"];
const KIB = 1024;
/** This many are shown; the rest are counted. */
const MOST = 400;

const clock = new Intl.DateTimeFormat("en-GB", {
	hour: "2-digit",
	minute: "2-digit",
	second: "2-digit",
	fractionalSecondDigits: 3,
});

/** @param {number} bytes */
export const sized = bytes => (bytes < KIB ? `${bytes} B` : `${(bytes / KIB).toFixed(1)} KiB`);

export class Frames {
	/** @type {Map<string, number>} */
	kinds = new Map();
	hidden = new Set(QUIET);
	bytes = [0, 0];
	count = [0, 0];
	list = $("#frames");

	/** @param {Frame} frame */
	take(frame) {
		const { t } = frame.m;
		const way = Number(frame.out);
		this.count[way]++;
		this.bytes[way] += frame.bytes;
		const isNew = !this.kinds.has(t);
		this.kinds.set(t, (this.kinds.get(t) ?? 0) + 1);
		this.list.prepend(this.row(frame));
		this.list.children[MOST]?.remove();
		this.drawSums();
		if (isNew) {
			this.drawKinds();
		}
		$(`#kinds [data-kind="${t}"] i`).textContent = String(this.kinds.get(t));
	}

	/** @param {Frame} frame */
	row(frame) {
		const { at, out, bytes, m } = frame;
		const el = h(
			`details.frame${out ? ".out" : ""}.is-${m.t}`,
			h(
				"summary",
				h("time", clock.format(at)),
				h("span.way", { "aria-label": out ? "sent" : "received" }, out ? "→" : "←"),
				h("b.kind", m.t),
				h("span.brief", brief(frame)),
				h("span.size", sized(bytes)),
			),
		);
		el.addEventListener("toggle", () => el.children[1] ?? el.append(new Tree().draw(m)), { once: true });
		return h("li", { "data-kind": m.t, hidden: this.hidden.has(m.t) }, el);
	}

	drawKinds() {
		const chips = [...this.kinds].map(([kind, n]) => {
			const pressed = String(!this.hidden.has(kind));
			const onclick = () => this.toggle(kind);
			return button(".chip", { onclick, "data-kind": kind, "aria-pressed": pressed }, kind, h("i", n));
		});
		clear($("#kinds"), chips);
	}

	/** Shows a kind, or hides it. @param {string} kind */
	toggle(kind) {
		const isHidden = !this.hidden.delete(kind);
		if (isHidden) {
			this.hidden.add(kind);
		}
		$(`#kinds [data-kind="${kind}"]`).setAttribute("aria-pressed", String(!isHidden));
		for (const row of /** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll(`[data-kind="${kind}"]`))) {
			row.hidden = isHidden;
		}
	}

	drawSums() {
		const [came, went] = this.bytes.map(sized);
		$("#sums").textContent = `← ${this.count[0]} · ${came}   → ${this.count[1]} · ${went}`;
	}
}
