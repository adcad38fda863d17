// The end of a match: a rematch with sides changed, the review, the next steps.
import { newKey } from "../client/keys.js";
import { button, h } from "./dom.js";
import { match, mode, say } from "./page.js";
import { keepMatch, replayLink, seatLink } from "./prefs.js";
import { t } from "./strings.js";

/** @typedef {import("./comforts.js").Parts} Parts */

export class Ending {
	/** The seats that want a rematch. @type {number[]} */
	asked = [];

	/** @param {Parts} parts */
	constructor(parts) {
		this.parts = parts;
		parts.live.handlers.rematch = m => this.hear(m);
	}

	/** @param {Wire.Rematch} m */
	hear(m) {
		const { live, view } = this.parts;
		if (m.match) {
			this.follow(m);
			return;
		}
		const fresh = m.asked.filter(seat => seat !== live.seat && !this.asked.includes(seat));
		this.asked = m.asked;
		fresh.forEach(seat => say(t("againAsked", { name: this.name(seat) })));
		view.prompt.draw();
	}

	/** Goes to one's own seat of the match that has begun, with the key that signs there from the first line on. @param {Wire.Rematch} m */
	async follow({ match: next = "", token = "", seat = 0 }) {
		const { game = "", title = "" } = this.parts.live.welcome ?? {};
		const key = await newKey();
		keepMatch({ match: next, seat, token, game, title, at: Date.now(), key: key?.own, open: key?.open });
		location.assign(seatLink(next, token, key?.own));
		// the address differs behind the # alone
		location.reload();
	}

	/** @param {number} seat */
	name(seat) {
		return this.parts.view.scene?.seats[seat]?.name ?? "";
	}

	/** Asks for a rematch, or takes the request back. @param {boolean} on */
	wish(on) {
		this.parts.live.send({ t: "again", on });
	}

	shown() {
		const { live } = this.parts;
		const seat = live.seat < 0 ? "pub" : `p${live.seat}`;
		const review = h("a.ghost", { href: replayLink(match, 0, seat) }, t("review"));
		const learn = h("a.ghost", { href: `/learn#g=${live.welcome?.game}` }, t("lessons"));
		const lobby = h("a.ghost", { href: "/" }, t("toLobby"));
		return h("div.ending", mode === "play" && live.seat >= 0 && this.again(), h("p.after", review, learn, lobby));
	}

	/** The rematch: asked for, agreed to, or awaited. */
	again() {
		const own = this.parts.live.seat;
		const others = this.asked.filter(seat => seat !== own);
		const names = others.map(seat => this.name(seat)).join(", ");
		if (this.asked.includes(own)) {
			const back = button(".ghost", { onclick: () => this.wish(false), "data-o": "end|back" }, t("takeBack"));
			return h("p.after", h("span.quiet", t("againWaits")), back);
		}
		const label = t(others.length ? "againAgree" : "again");
		return [
			others.length > 0 && h("p.quiet", t("againAsked", { name: names })),
			h("p.after", button(".go", { onclick: () => this.wish(true), "data-o": "end|again" }, label)),
		];
	}
}
