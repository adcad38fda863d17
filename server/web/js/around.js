// What is said and agreed around the match: clocks, offers, giving up, chat, who watches through whose eyes.
import { $, h, clear, button } from "./dom.js";
import { glyph } from "./glyph.js";
import { linkRow, dialog } from "./prefs.js";
import { fresh } from "./net.js";
import { has, t } from "./strings.js";

const TICK_MS = 500, PAUSE_MS = 600_000, DAY_MS = 86_400_000;
const minSec = ms => t("minSec", { m: Math.floor(ms / 60000), s: Math.floor(ms / 1000) % 60 });

export class Around {
	// api: send(message), say(text), name(seat), casterLink(token), ticked(), hasChosen(seat), after(line): what came first
	constructor(api) {
		Object.assign(this, { api, clocks: {}, table: {}, at: 0, presence: {}, viewer: {}, seats: [], muted: new Set() });
		const acts = $("#acts"), line = $("#chat input");
		acts.onclose = () => this.act(acts.returnValue);
		this.form = $("#chat form");
		this.form.onsubmit = e => { e.preventDefault(); if (line.value.trim()) api.send({ t: "chat", text: line.value.trim() }); line.value = ""; };
		setInterval(() => { if (Object.values(this.clocks).some(c => c.run)) api.ticked(); }, TICK_MS);
	}
	get mine() { return this.viewer.as === "seat" ? this.viewer.seat : -1; }

	// every message may carry clocks and what is open at the table
	hear(m) {
		if (m.t === "welcome") { this.viewer = m.viewer; this.form.hidden = m.viewer.as === "caster"; }
		if (m.seats?.[0]?.seat !== undefined) this.seats = m.seats;
		if (m.clocks) { this.clocks = m.clocks; this.at = performance.now(); this.api.ticked(); }
		if (m.table) { this.table = m.table; this.drawOffers(); }
	}
	// a seat's clock now
	clock(seat) {
		const c = this.clocks[seat];
		return c && { ...c, ms: c.run ? Math.max(0, c.ms - (performance.now() - this.at)) : c.ms };
	}
	read(seats) { return Object.keys(seats).map(seat => [seats[seat].name, this.clock(seat) || seats[seat].clock]).filter(x => x[1]).map(([name, c]) => `${name} ${minSec(c.ms)}`).join(". ") || t("noClocks"); }

	open() {
		const away = this.away(), { time, paused_ms } = this.table, gone = this.clocks[this.mine]?.away_ms > 0;
		const shown = { takeBack: !paused_ms && this.api.hasChosen(this.mine), goOn: paused_ms, pause: !paused_ms, replace: away !== undefined, claim: away !== undefined && time?.absence_ms, vacation: !gone && this.days() > 0, back: gone };
		for (const b of $("#acts").querySelectorAll("[value]")) b.hidden = b.value in shown && !shown[b.value];
		$("#acts").returnValue = "";
		$("#acts").showModal();
	}
	// a person's seat that nobody holds now
	away() { return this.seats.find(s => s.kind === "person" && s.seat !== this.mine && !this.presence.seats?.includes(s.seat))?.seat; }
	// whole days of vacation that are left
	days() { return Math.floor((this.clocks[this.mine]?.vacation_ms || 0) / DAY_MS); }
	act(what) {
		const id = fresh(), offer = terms => this.api.send({ t: "offer", id, terms }), seat = this.away(), vacation = days => this.api.send({ t: "vacation", id, days });
		const most = this.days(), asked = () => Math.min(most, Math.floor(Number(window.prompt(t("vacationDays", { n: most }), most))));
		({
			draw: () => offer({ is: "draw" }), pause: () => offer({ is: "pause", length_ms: PAUSE_MS }), goOn: () => offer({ is: "go_on" }), abandon: () => offer({ is: "abandon" }), takeBack: () => offer({ is: "take_back" }), replace: () => offer({ is: "replace", seat }),
			hand: () => confirm(t("handSure")) && offer({ is: "replace", seat: this.mine }),
			claim: () => this.api.send({ t: "claim", id, seat }), back: () => vacation(0), vacation: () => { const days = asked(); if (days > 0) vacation(days); },
			resign: () => confirm(t("resignSure")) && this.api.send({ t: "resign", id }),
		})[what]?.();
	}
	drawOffers() {
		const { offers = [], paused_ms } = this.table, answer = (t, number) => () => this.api.send({ t, id: fresh(), number });
		const rows = offers.map(o => {
			const own = o.seat === this.mine, asked = o.asked?.includes(this.mine) && !o.agreed?.includes(this.mine);
			return h("p", t(`offer.${o.terms.is}`, { name: this.api.name(o.seat), other: this.api.name(o.terms.seat), line: o.terms.line, what: this.api.after(o.terms.line), n: Math.round((o.terms.length_ms || 0) / 60000) }), " ",
				asked && button(".go", { onclick: answer("agree", o.number) }, t("agree")), " ", (own || asked) && button(".ghost", { onclick: answer("decline", o.number) }, t(own ? "takeBack" : "decline")));
		});
		clear($("#offers"), paused_ms > 0 && h("p", t("paused")), rows).hidden = !rows.length && !paused_ms;
	}

	said({ lines }) {
		const root = $("#chatlines");
		for (const l of lines) {
			const name = l.name || (l.who.startsWith("seat") ? this.api.name(Number(l.who.slice(4))) : t("spectator"));
			if (this.muted.has(l.who) || root.querySelector(`[data-n="${l.n}"]`)) continue;
			root.append(h("p", { "data-n": l.n, "data-who": l.who }, h("b", name), ": ", l.text, " ", l.who !== "seat" + this.mine && button(".mute", { title: t("mute", { name }), "aria-label": t("mute", { name }), onclick: () => this.mute(l.who) }, "×")));
		}
		root.scrollTop = root.scrollHeight;
	}
	mute(who) {
		this.muted.add(who);
		this.api.send({ t: "mute", who });
		for (const p of $("#chatlines").querySelectorAll(`[data-who="${who}"]`)) p.remove();
	}

	granted({ token }) { dialog(t("share"), linkRow(t("casterLink"), this.api.casterLink(token)), h("p.quiet", t("casterWarning")), button(".ghost", { onclick: () => this.api.send({ t: "revoke" }) }, t("revoke"))); }
	revoked() { $("#dialog").close(); this.api.say(t("revoked")); }
	shares(seat) { return this.presence.shared?.includes(seat) && h("span.shares", { title: t("shared") }, glyph("eyeball"), h("span.vh", t("shared"))); }
	// why the server closed the connection, where that is for good or for want of a place
	static closed(code) { return has("close." + code, ""); }
}
