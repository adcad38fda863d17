// A table that is played or watched: incoming steps are queued, and shown one by one.
import { Choices, Connection, FULL, socketAt } from "../client/connection.js";
import { isAct, owed, signAct, signChoice } from "../client/keys.js";
import { Incoming } from "../client/patches.js";
import { TableState } from "./tablestate.js";
import { $ } from "./dom.js";
import { deviceName, keeperOf, keptKey, keyText, openKey, renewed } from "./holder.js";
import { gone, here, isOpen, lead, match, mode, ready, say, sheet, tell, token } from "./page.js";
import { forgetUsed, keepMatch, myMatches, prefs, seatLink } from "./prefs.js";
import { language, later, t } from "./strings.js";

const STALE_MS = 1500;
const RETRY_MS = 4000;
/** This many waiting steps are shown faster; if there are this many more, they are shown without animation. */
const HURRY_FROM = 3;
const JUMP_FROM = 8;
/** The row of the rules with which a refusal may end. */
const ROW = /\([A-Z]{2}-\w+\)\.$/;

/**
 * The parts of a table that is played.
 * @typedef {object} LiveParts
 * @property {import("./steps.js").Steps} steps
 * @property {import("./view.js").View} view
 * @property {import("./replay.js").Replay} replay
 * @property {import("../client/check.js").Check} check
 * @property {TableState} around
 * @property {(m: Wire.Games) => void} branch
 */

export class Live {
	/** @type {Wire.Welcome | undefined} */
	welcome = undefined;
	connected = mode === "replay";
	/** @type {Connection | undefined} */
	connection = undefined;
	/** Steps that wait to be shown. @type {Step[]} */
	queue = [];
	draining = false;
	/** The messages that the match awaited and that were sent on this connection. @type {Set<string>} */
	given = new Set();
	giving = false;
	/** The number of devices on which one's own seat is open. */
	devices = 1;
	/** Takes an answer about the consequences of a choice. @type {(m: Wire.Foreseen | Wire.Error) => boolean} */
	foresaw = () => false;
	/** @type {number | undefined} */
	staleTimer = undefined;
	/** Signs one's own choices. */
	ownKey = here.get("k") || keptKey();
	net = $("#net");

	/** @param {LiveParts} parts */
	constructor(parts) {
		this.parts = parts;
		this.choices = new Choices(
			m => this.connection?.send(m),
			m => this.signed(m),
		);
		this.incoming = new Incoming(
			(...steps) => {
				this.queue.push(...steps);
				this.drain();
			},
			() => this.need(this.parts.check.seq),
		);
		this.handlers = this.newHandlers();
		this.handlers.reported = () => tell("reported", t("reportKept"));
	}

	/** One's own seat; -1 for a spectator. */
	get seat() {
		return (mode === "play" ? this.welcome?.viewer.seat : -1) ?? -1;
	}

	/** Sends a message; an act at the table is signed first. @param {ClientMessage} m */
	send(m) {
		if (!isAct(m)) {
			return this.connection?.send(m);
		}
		this.act(/** @type {import("../client/keys.js").Act} */ (m));
		return this.connection?.ready;
	}

	/** Signs an act at the table, once all received lines are checked. @param {import("../client/keys.js").Act} act */
	async act(act) {
		const { check } = this.parts;
		await check.settled();
		try {
			const signed = await signAct(this.ownKey, check.verifier, this.seat, act);
			if (!this.connection?.send(/** @type {ClientMessage} */ (signed))) {
				this.brief(t("actUnsent"));
			}
		} catch (wrong) {
			this.brief(/** @type {import("../client/errors.js").Refused} */ (wrong).why ?? t("actUnsent"));
		}
	}

	/**
	 * The additions to a choice: the last line that is checked, and the signature if the seat signs. A question that no line states
	 * is not answered. @param {Wire.Choose} m @returns {Promise<Partial<Wire.Choose>>}
	 */
	async signed(m) {
		const { check } = this.parts;
		await check.settled();
		const { ack, verifier } = check;
		if (verifier && !verifier.agreements.isAsked(m.decision, this.seat)) {
			this.refused({ t: "refused", id: m.id, code: "stale-decision", why: t("noLineAsks") });
			return {};
		}
		if (this.ownKey && verifier?.seated.get(this.seat)?.key) {
			return { ...ack, signed: await signChoice(this.ownKey, verifier, this.seat, { ...m, ...ack }) };
		}
		return ack;
	}

	/** Asks for lines again. @param {number} since */
	need(since) {
		this.send({ t: "need", since });
	}

	/** Shows for a while what went wrong, and sends the open choice again. @param {string} why */
	brief(why) {
		tell("error", why, true);
		setTimeout(() => {
			tell("error");
			this.choices.again();
		}, RETRY_MS);
	}

	// --- the longer the queue of steps, the faster they go ---

	async drain() {
		if (this.draining) {
			return;
		}
		this.draining = true;
		const { view } = this.parts;
		await Promise.all([sheet("core"), sheet(this.welcome?.game ?? "")]);
		for (let step = this.queue.shift(); step; step = this.queue.shift()) {
			await this.take(step);
		}
		if (view.scene?.prompt?.mode === "over") {
			tell("delay");
		}
		view.setSpeed(prefs.speed);
		this.draining = false;
	}

	/** @param {Step} step */
	async take(step) {
		const { replay, steps, view } = this.parts;
		const { time } = steps;
		if (!time) {
			if (step.scene) {
				this.begin(step.scene);
			}
			return;
		}
		const following = steps.isLast;
		time.push(step);
		replay.setup(time.length, time.headings());
		if (!following) {
			replay.show(steps.at);
			view.drawChronicle();
			return;
		}
		await this.follow(time.length);
	}

	/** Plays on to the latest step. @param {number} last */
	async follow(last) {
		const { steps, view } = this.parts;
		const waiting = this.queue.length;
		view.setSpeed(prefs.speed * (waiting >= HURRY_FROM ? 2 : 1));
		try {
			await steps.go(last, waiting < JUMP_FROM && !document.hidden);
		} catch (wrong) {
			console.error(wrong);
		}
	}

	/** @param {Scene} first */
	begin(first) {
		const { replay, steps, view } = this.parts;
		const time = steps.begin(first);
		replay.setup(0, time.headings());
		view.show(first, { instant: true });
		replay.show(0);
		ready();
	}

	/** Sends the messages that the match awaits from this seat before it begins. */
	async reveal() {
		const { verifier } = this.parts.check;
		const { seat } = this;
		if (verifier) {
			tell("shares", awaited(verifier, this.seat));
		}
		if (!verifier || seat < 0 || !this.connected || this.giving) {
			return;
		}
		this.giving = true;
		if (this.welcome?.viewer.as === "seat") {
			const text = await keyText(this.ownKey, verifier.seated.get(seat)?.key);
			tell("key", text && t(text), text === "otherKey");
		}
		const m = await owed(keeperOf(seat, this.ownKey), verifier, this.given);
		this.ownKey ||= keptKey();
		if (m) {
			this.connection?.send(m);
		}
		this.giving = false;
	}

	/** Shows the persons behind the seats. */
	async whose() {
		if (this.connected && mode !== "replay") {
			(await import("./guests.js")).tellPersons(this);
		}
	}

	// --- messages ---

	/** The action for each kind of message. @returns {Record<string, (m: any) => unknown>} */
	newHandlers() {
		const { around, branch, check } = this.parts;
		return {
			/** @type {(m: Wire.Welcome) => void} */
			welcome: m => this.welcomed(m),
			/** @type {(m: Wire.Snapshot) => void} */
			snapshot: m => this.incoming.snapshot(m),
			/** @type {(m: Wire.Checkpoint) => unknown} */
			checkpoint: m => check.claim(/** @type {Wire.HeadInfo} */ (/** @type {unknown} */ (m))),
			/** @type {(m: Wire.Events) => void} */
			events: m => {
				tell("origin");
				check.events(m);
				this.incoming.events(m);
			},
			games: branch,
			/** @type {(m: Wire.Created) => Promise<void>} */
			created: async m => (await import("./seats.js")).created(m),
			/** @type {(m: Wire.Accepted) => unknown} */
			accepted: m => this.choices.settle(m.id),
			/** @type {(m: Wire.Foreseen) => boolean} */
			foreseen: m => this.foresaw(m),
			/** @type {(m: Wire.Refused) => void} */
			refused: m => this.refused(m),
			/** @type {(m: Wire.Devices) => void} */
			devices: m => this.hearDevices(m.n),
			/** @type {(m: Wire.Presence) => void} */
			presence: m => this.hearPresence(m),
			/** @type {(m: Wire.Said) => Promise<void>} */
			said: async m => (await around.chat()).said(m),
			/** @type {(m: Wire.Directed) => void} */
			directed: m => lead("isDirected", m.direction && `/follow#m=${match}${isOpen ? "&open=1" : ""}`),
			/** @type {(m: Wire.SeatsChanged) => void} */
			seats: m => this.seatsChanged(m),
			/** @type {(m: Wire.Error) => void} */
			error: m => this.failed(m),
		};
	}

	/** @param {Wire.Welcome} m */
	welcomed(m) {
		this.welcome = m;
		this.given.clear();
		this.parts.check.welcome(m);
		tell("stale", null);
		const sees = m.viewer.as === "open";
		tell("delay", m.delay && delayText(m.delay, sees));
		tell("open", !sees && m.status !== "finished" && m.open_cards && t("openCards", later(m.open_cards)));
		this.connected = true;
		this.showNet();
		sheet(m.game);
		$("#tools [data-ico=flag]").hidden = m.viewer.as !== "seat";
		if (m.viewer.as === "seat" && token) {
			const { seat = 0 } = m.viewer;
			const { game, title } = m;
			const kept = myMatches().find(one => one.match === match && one.token === token);
			tell("device", !kept && !renewed() && t("seatFromLink"));
			const lent = !kept && !renewed();
			keepMatch({ ...kept, match, seat, token, key: this.ownKey, game, title, at: Date.now(), ...(lent && { lent }) });
		}
		forgetUsed(match, m.seats);
		this.choices.again();
	}

	/** @param {Wire.Refused} m */
	refused(m) {
		const own = this.choices.settle(m.id);
		const why =
			m.rule && !m.why.includes(m.rule) && !ROW.test(m.why) ? `${m.why.replace(/\.$/, "")} (${m.rule}).` : m.why;
		say(why);
		if (own) {
			this.parts.view.prompt.refused(why, m.lang);
		} else {
			this.brief(why);
		}
	}

	/** @param {Wire.Presence} m */
	hearPresence(m) {
		tell("origin");
		const { around, view } = this.parts;
		around.presence = m;
		this.showNet();
		view.drawPlates();
	}

	/** Says on how many devices one's own seat is open. @param {number} n */
	hearDevices(n) {
		this.devices = n;
		tell("devices", n > 1 && t("openOn", { n }));
	}

	/** @param {Wire.SeatsChanged} m */
	seatsChanged(m) {
		if (this.welcome) {
			this.welcome = { ...this.welcome, seats: m.seats };
			forgetUsed(match, m.seats);
		}
	}

	/** @param {Wire.Error} m */
	failed(m) {
		if (m.code === "seat-refused" || this.foresaw(m)) {
			return;
		}
		if (this.welcome && m.code.startsWith("origin-")) {
			// From a relay: the notice stays until the playing server is reachable again.
			tell("origin", m.why, true);
		} else if (this.welcome || mode === "replay") {
			this.brief(m.why);
		} else {
			this.connection?.stop();
			this.turnedAway(m.why);
		}
	}

	/** One's own link does not open the seat: goes to another link of the seat, if this browser has one. @param {string} why */
	turnedAway(why) {
		const other = renewed();
		if (other) {
			location.replace(seatLink(match, other.token, other.key));
			location.reload();
		} else {
			gone(token ? `${why} ${t("linkClosed")}` : why, t("noTable"), t("toLobby"));
		}
	}

	// --- connection ---

	showNet() {
		const { spectators, thinking } = this.parts.around.presence;
		this.net.classList.toggle("off", !this.connected);
		if (this.connected) {
			const there = spectators ? t("watching", { n: spectators }) : t("connected");
			this.net.textContent = thinking?.length ? t("thinks") : there;
		} else {
			this.net.textContent = t("offline");
		}
		const { replay } = this.parts;
		replay.show(replay.i);
	}

	/** The first messages of every connection. @returns {ClientMessage[]} */
	greeting() {
		const { around, check } = this.parts;
		const key = openKey();
		const own = { token, device: deviceName(), ...(key && { key }) };
		const held = myMatches().find(one => one.match === match && one.token === token);
		/** @type {Partial<Wire.Hello>} */
		const who = { name: held?.called || prefs.name, ...(token ? own : { as: isOpen ? "open" : "spectator" }) };
		return [
			{ t: "hello", match, ...who, since: check.seq, caps: ["scene"], lang: language },
			...[...around.muted].map(muted => /** @type {Wire.Mute} */ ({ t: "mute", who: muted })),
		];
	}

	connect() {
		/** @type {import("../client/connection.js").ConnectionEvents} */
		const on = {
			message: m => {
				this.parts.around.hear(m);
				this.handlers[m.t]?.(m);
			},
			state: (state, code) => this.changed(state, code),
		};
		this.connection = new Connection(() => this.greeting(), on, socketAt(match));
	}

	/** Shows whether there is a connection. @param {boolean} on @param {string | null} why */
	setConnected(on, why) {
		this.connected = on;
		this.showNet();
		tell("stale", why, !on);
	}

	/** @param {"open" | "lost"} state @param {number} [code] */
	changed(state, code) {
		const why = TableState.closed(code);
		clearTimeout(this.staleTimer);
		if (why) {
			this.setConnected(false, why);
			if (code !== FULL) {
				this.connection?.stop();
			}
		} else if (state === "lost") {
			this.staleTimer = setTimeout(() => this.setConnected(false, t("stale")), STALE_MS);
		} else if (this.connected || this.welcome) {
			this.setConnected(true, null);
		}
	}
}

/** The shares of chance that a match awaits before it begins, as a sentence. @param {import("../client/seating.js").MatchVerifier} verifier @param {number} own */
function awaited(verifier, own) {
	const people = [...verifier.seated].filter(([, held]) => held.kind === "person");
	const missing = people.filter(([seat]) => seat !== own && !verifier.entropy.has(seat)).map(([, held]) => held.name);
	return verifier.waits && !verifier.isBegun && missing.length ? t("sharesWait", { names: missing.join(", ") }) : null;
}

/** The delay of spectators, and whether they see all hands. @param {Wire.Delay} delay @param {boolean} sees */
function delayText({ s = 0, events = 0, phase }, sees) {
	if (sees) {
		return t("handsAsTheyWere", later({ s, events, phase }));
	}
	if (!s) {
		return t("delayedLines", { n: s, lines: events });
	}
	return t(events ? "delayed" : "delayedSeconds", { n: s, lines: events });
}
