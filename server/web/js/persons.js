// Persons behind the seats of a table: those who show themselves, checked against the verified lines, and one's own seat, which
// is noted and claimed as its person has wished (docs/people.md).
import { claimed, personBehind } from "../client/claims.js";
import { fresh } from "../client/connection.js";
import { openOf, sign } from "../client/keys.js";
import { actMessage, BINDS } from "../client/seating.js";
import { Door, ownKey, signed } from "./account.js";
import { $, h } from "./dom.js";
import { match, tell, token } from "./page.js";
import { dialog, keepMatch, myMatches, read } from "./prefs.js";
import { shownAtTable } from "./personvisibility.js";
import { t } from "./strings.js";

/** The server stores an opening after the line of its claim: missing openings are requested again after this time. */
const AGAIN_MS = [1000, 4000, 20_000];
/** A person may show themselves at any time: while play continues, the server is asked again this long after its last answer. */
const LATER_MS = 30_000;
const SHOWN = ["opponents", "everybody"];
/** The acts of the staff that are shown at the table to the person concerned. */
const ACTS = ["warn", "mute", "suspend", "ban", "lift"];

/** @typedef {import("../client/seating.js").MatchVerifier} MatchVerifier */
/** @typedef {NonNullable<HeldMatch["claim"]>} Claim */

const kept = () => myMatches().find(one => one.match === match && one.token === token && !one.friend);

export class Persons {
	door = new Door();
	/** The number of claims about which the server was asked. */
	asked = 0;
	tries = 0;
	/** The time of the last answer. */
	toldAt = 0;
	/** The number of openings in the last answer. */
	opened = 0;
	/** @type {Promise<unknown>} */
	turn = Promise.resolve();
	/** This browser's key and what its person wishes; null for nobody. @type {Promise<{ key: import("./account.js").DeviceKey, wish: string } | null> | undefined} */
	account = undefined;

	/** @param {import("./live.js").Live} live */
	constructor(live) {
		this.live = live;
		live.handlers["persons-told"] = (/** @type {Wire.PersonsTold} */ m) => this.told(m);
	}

	/** Looks at the claims in the verified lines. @param {MatchVerifier} verifier */
	look(verifier) {
		const isLate = this.opened < this.asked && performance.now() - this.toldAt > LATER_MS;
		if (verifier.persons.size !== this.asked || isLate) {
			this.asked = verifier.persons.size;
			this.toldAt = performance.now();
			this.tries = 0;
			this.live.send({ t: "persons" });
		}
		this.stand(verifier);
	}

	// --- others ---

	/** Shows the persons whose openings open verified lines; an opening that does not is reported. @param {Wire.PersonsTold} m */
	async told({ persons }) {
		const { around, check, view } = this.live.parts;
		const { verifier } = check;
		/** @type {Map<string, string>} */
		const handles = new Map();
		for (const one of verifier ? persons : []) {
			try {
				const claim = await personBehind(match, verifier?.persons ?? new Map(), { match, ...one });
				if (claim) {
					handles.set(`${claim.seat} ${claim.key}`, one.handle);
				}
			} catch {
				tell("persons", t("falsePerson"), true);
			}
		}
		around.handles = handles;
		this.opened = persons.length;
		this.toldAt = performance.now();
		view.drawPlates();
		this.again(persons.length);
	}

	/** @param {number} found openings */
	again(found) {
		const wait = found < this.asked && AGAIN_MS[this.tries];
		if (wait) {
			this.tries++;
			setTimeout(() => this.live.send({ t: "persons" }), wait);
		}
	}

	// --- one's own seat ---

	async whose() {
		const key = await ownKey().catch(() => undefined);
		const told = key && (await this.door.ask("account").catch(() => null));
		if (told) {
			this.door.ask("safety").then(showActs, () => null);
		}
		return told ? { key, wish: told.at_table } : null;
	}

	/** Notes one's own seat and stands behind it, as its person has wished, one step after another. @param {MatchVerifier} verifier */
	stand(verifier) {
		this.turn = this.turn.then(() => this.standNow(verifier)).catch(() => null);
	}

	/** @param {MatchVerifier} verifier */
	async standNow(verifier) {
		const { live } = this;
		const held = kept();
		const isHere = verifier.seq >= (live.welcome?.head.seq ?? 0);
		if (!held || held.lent || live.seat < 0 || !isHere || verifier.agreements.isOver) {
			return;
		}
		this.account ??= this.whose();
		const account = await this.account;
		const open = (live.ownKey && (await openOf(live.ownKey))) ?? "";
		if (verifier.seated.get(live.seat)?.key !== open) {
			this.rekey(held, open);
		} else if (account && (held.shows || account.wish) !== "unnoted") {
			await this.note(verifier, account.key, open);
			await this.claim(verifier, account, open);
		}
	}

	/** Makes a seat that was entered by the account alone sign with another key from now on; everybody is told so. @param {HeldMatch} held @param {string} open */
	rekey(held, open) {
		if (held.rekey && open) {
			keepMatch({ ...held, rekey: undefined, named: false });
			this.live.connection?.send({ t: "key", key: open });
		}
	}

	/** Notes the seat once; its key lets the person's devices enter it. @param {MatchVerifier} verifier @param {import("./account.js").DeviceKey} key @param {string} open */
	async note({ mid }, key, open) {
		const { ownKey: own, seat } = this.live;
		const held = kept();
		const noted = `${token} ${open} ${key.open}`;
		if (!held || held.noted === noted) {
			return;
		}
		const signature = own && (await sign(own, actMessage(mid, { seat }, ["entry", key.open])));
		const done = await this.door.ask("keep-seat", { match, token, ...(signature && { signature }) }).catch(() => null);
		if (done) {
			keepMatch({ ...held, ...kept(), noted });
		}
	}

	/** Stands behind the seat's key in the record, and shows that to the chosen viewers. @param {MatchVerifier} verifier @param {{ key: import("./account.js").DeviceKey, wish: string }} account @param {string} open */
	async claim(verifier, { key, wish }, open) {
		const { claim: made, shows = "" } = kept() ?? {};
		const mine = made?.seatKey === open ? made : undefined;
		const line = [...verifier.persons].find(([, one]) => one.commitment === mine?.commitment)?.[0];
		const shown = SHOWN.find(one => one === (shows || wish)) ?? "nobody";
		if (mine && line) {
			// the account's choice is for newly taken seats: it changes nothing that was shown before
			const isNews = !mine.line || (shows && mine.shown !== shown);
			await (isNews ? this.show({ ...mine, line, shown }, shown) : null);
		} else if (open && shown !== "nobody" && verifier.version >= BINDS && !isClaimed(verifier, open)) {
			await this.say(verifier, mine ?? (await this.made(key, open)));
		}
	}

	/** @param {import("./account.js").DeviceKey} key @param {string} open @returns {Promise<Claim>} */
	async made(key, open) {
		const person = { open: key.open, sign: (/** @type {Uint8Array<ArrayBuffer>} */ m) => signed(key, m) };
		const { seat } = this.live;
		const { commitment, opening } = await claimed(person, location.host, match, { seat, key: open });
		const { salt, signature } = opening;
		return { commitment, salt, signature, line: 0, seatKey: open };
	}

	/** @param {MatchVerifier} verifier @param {Claim} claim */
	async say({ mid }, claim) {
		const { ownKey: own = "", seat, connection } = this.live;
		const held = kept();
		if (held) {
			// stored before the claim is sent: its opening must not be lost with the page
			keepMatch({ ...held, claim });
			const said = actMessage(mid, { seat }, ["person", claim.commitment]);
			connection?.send({ t: "person", id: fresh(), commitment: claim.commitment, signature: await sign(own, said) });
		}
	}

	/** Asks which viewers at this table may know the person here, and shows it to them. */
	async ask() {
		const { verifier } = this.live.parts.check;
		const account = await (this.account ??= this.whose());
		const held = kept();
		if (!held || !account || !verifier) {
			tell("shown", t("shownNot"));
			return;
		}
		const { row, now } = shownAtTable((held.claim?.line && held.claim.shown) || held.shows || account.wish);
		const opened = dialog(t("showMe"), row, h("p.quiet", t("shownSaid")));
		$("form", opened).onsubmit = () => {
			keepMatch({ ...held, ...kept(), shows: now() });
			this.stand(verifier);
		};
	}

	/** @param {Claim} claim @param {string} shown */
	async show(claim, shown) {
		const { line, salt, signature } = claim;
		await this.door.ask("keep-seat", { match, token, claim: { line, salt, signature, shown } });
		const held = kept();
		if (held) {
			keepMatch({ ...held, claim });
		}
		this.live.send({ t: "persons" });
	}
}

/** Shows the staff's acts about this person at the table, until the person has read them on the page of the account. @param {Wire.SafetyTold} told */
function showActs({ entries = [] }) {
	const last = entries.findLast(({ n, act }) => n > read("acts", 0) && ACTS.includes(act));
	tell("staff", last && t(`did.${last.act}`, { why: last.why }));
}

/** Whether somebody stands behind a seat's key. @param {MatchVerifier} verifier @param {string} open */
const isClaimed = ({ persons }, open) => [...persons.values()].some(one => one.key === open);
