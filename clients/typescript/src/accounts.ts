// A person's account at a server: signing in with a device's key, devices, the handle, and one's own matches (docs/people.md).
import { said, type Opening, type PersonKey } from "./claims.js";
import { fresh, type Sockets } from "./connection.js";
import { Closed, Refused } from "./errors.js";
import { sign } from "./keys.js";
import { siteOf, socketOf } from "./links.js";
import { tagged, utf8, type Bytes } from "./hashes.js";
import type { Key } from "./seatkey.js";
import type { ClientMessage, ServerMessage, Wire } from "./wire.js";

const DIGITS = 12n;
const PROTOCOL = "herald.v1+json";
type Waiting = { id: string; told: (m: ServerMessage) => void; lost: (wrong: Closed) => void };
type Told<T extends string> = Extract<ServerMessage, { t: T }>;

/** A device's or a person's key: `Match` needs it to stand behind a seat, an account needs it to sign in. */
export const personKey = (key: Key): PersonKey => ({
	open: key.public,
	sign: (message: Bytes) => sign(key.text, message),
});

/** The twelve digits that the old device and the new one show alike. */
export function pairingNumber(code: string, key: string) {
	const plain = code.toUpperCase().replace(/[^0-9A-Z]/g, "");
	const read = utf8(plain.replace(/[IL]/g, "1").replace(/O/g, "0"));
	const digest = tagged("person/pairing-number", tagged("person/pairing-number", read), utf8(key));
	const number = new DataView(digest.buffer, digest.byteOffset).getBigUint64(0) % 10n ** DIGITS;
	const digits = String(number).padStart(Number(DIGITS), "0");
	return digits.replace(/(\d{4})(?=\d)/g, "$1 ");
}

/** One connection, on which each message is answered. */
class Wired {
	readonly #socket: WebSocket;
	readonly #waiting: Waiting[] = [];
	readonly #opened: Promise<void>;

	constructor(url: string, Socket: Sockets) {
		this.#socket = new Socket(url, PROTOCOL);
		this.#opened = new Promise((resolve, reject) => {
			this.#socket.onopen = () => resolve();
			this.#socket.onclose = ({ code, reason }) => {
				const wrong = new Closed(code, reason || "the connection is closed");
				reject(wrong);
				this.#waiting.splice(0).forEach(one => one.lost(wrong));
			};
		});
		this.#socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
	}

	#hear(m: ServerMessage) {
		const id = "id" in m ? m.id : "";
		const at = this.#waiting.findIndex(one => one.id === id);
		this.#waiting.splice(at, at < 0 ? 0 : 1)[0]?.told(m);
	}

	/** The answer to a message. Throws `Refused` and `Closed`. */
	async ask<T extends ServerMessage["t"]>(message: ClientMessage, kind: T): Promise<Told<T>> {
		await this.#opened;
		const id = fresh();
		const answer = await new Promise<ServerMessage>((told, lost) => {
			this.#waiting.push({ id, told, lost });
			this.#socket.send(JSON.stringify({ ...message, id }));
		});
		if (answer.t === "error") {
			throw new Refused(answer.code, answer.why);
		}
		if (answer.t !== kind) {
			throw new Refused("other-answer", `The server answered with ${answer.t}, and not with ${kind}.`);
		}
		return answer as Told<T>;
	}

	close() {
		this.#socket.close();
	}
}

/** The way into the account of one device's key at a server. Each call is a connection of its own. */
export class AccountDoor {
	/** The server's name, which is signed. */
	readonly site: string;
	readonly #url: string;
	readonly #key: PersonKey;
	readonly #Socket: Sockets;

	/** `address`: the address of the server's pages; `Socket`: the class of WebSocket, if the platform has none. */
	constructor(address: string, key: Key | PersonKey, Socket: Sockets = WebSocket) {
		this.#url = socketOf(address);
		this.site = siteOf(address);
		this.#key = "sign" in key ? key : personKey(key);
		this.#Socket = Socket;
	}

	/** A new person with a handle. Keep the recovery code. */
	signUp(handle: string, name = ""): Promise<Wire.SignedIn> {
		return this.#once(wired => this.#show(wired, "signed-in", { t: "sign-up", handle, name }, handle));
	}

	/** Adds this device by a recovery code. Keep the code that takes its place. */
	recover(code: string, name = ""): Promise<Wire.SignedIn> {
		return this.#once(wired => this.#show(wired, "signed-in", { t: "recover", code, name }, code));
	}

	/** Asks another device of the person to add this one; gives the number that both show. */
	async askPairing(code: string, name = ""): Promise<string> {
		const asked = { t: "ask-pairing", code, name } as const;
		await this.#once(wired => this.#show(wired, "pairing", asked, code));
		// Computed here instead of believed: a server in between could tell each device a different number.
		return pairingNumber(code, this.#key.open);
	}

	/** Signed in, until `end` is called. */
	async session(): Promise<Session> {
		const wired = new Wired(this.#url, this.#Socket);
		try {
			const entered = await this.#show(wired, "signed-in", { t: "sign-in" });
			return new Session(wired, entered, this.#key, this.site);
		} catch (wrong) {
			wired.close();
			throw wrong;
		}
	}

	async #once<T>(act: (wired: Wired) => Promise<T>): Promise<T> {
		const wired = new Wired(this.#url, this.#Socket);
		try {
			return await act(wired);
		} finally {
			wired.close();
		}
	}

	/** Answers a challenge for the site that was dialled and for this page, whatever names the server gives. */
	async #show<T extends "signed-in" | "pairing">(
		wired: Wired,
		kind: T,
		message: { t: "sign-up" | "sign-in" | "recover" | "ask-pairing" } & Record<string, string>,
		...words: string[]
	): Promise<Told<T>> {
		const origin = globalThis.location?.origin ?? "";
		const asked = await wired.ask({ t: "challenge" }, "challenged");
		if (asked.site !== this.site || (asked.origin ?? "") !== origin) {
			throw new Refused("other-site", `The server says that it was called ${asked.site}; nothing was signed.`);
		}
		const parts = [this.site, origin, asked.challenge, this.#key.open, ...words];
		const signature = await this.#key.sign(said(`person/${message.t}`, ...parts));
		return wired.ask({ ...message, key: this.#key.open, signature } as ClientMessage, kind);
	}
}

/** A person who is signed in, over one connection. Every method throws `Refused` and `Closed`. */
export class Session {
	readonly entered: Wire.SignedIn;
	readonly #wired: Wired;
	readonly #key: PersonKey;
	readonly #site: string;

	constructor(wired: Wired, entered: Wire.SignedIn, key: PersonKey, site: string) {
		this.#wired = wired;
		this.entered = entered;
		this.#key = key;
		this.#site = site;
	}

	get #session() {
		return this.entered.session;
	}

	account(): Promise<Wire.AccountTold> {
		return this.#wired.ask({ t: "account", session: this.#session }, "account-told");
	}

	/** Takes another handle. */
	rename(handle: string): Promise<Wire.AccountTold> {
		return this.#wired.ask({ t: "rename", session: this.#session, handle }, "account-told");
	}

	/** Removes a device: it can no longer sign in. */
	revoke(key: string): Promise<Wire.AccountTold> {
		return this.#wired.ask({ t: "revoke-device", session: this.#session, key }, "account-told");
	}

	/** Lets one new device ask by a code. */
	offerPairing(): Promise<Wire.PairingOffered> {
		return this.#wired.ask({ t: "offer-pairing", session: this.#session }, "pairing-offered");
	}

	/** Adds the device that has asked, once both show the same number, and vouches for it with this device's key. */
	async confirmPairing(key: string): Promise<Wire.AccountTold> {
		const signature = await this.#key.sign(said("person/vouch", this.#site, "", "", this.#key.open, key));
		return this.#wired.ask({ t: "confirm-pairing", session: this.#session, key, signature }, "account-told");
	}

	/** A new recovery code, which makes the former one void. */
	async renewCode(): Promise<string> {
		return (await this.#wired.ask({ t: "renew-code", session: this.#session }, "recovery-code")).recovery;
	}

	/**
	 * Notes a seat among one's own matches, or removes the note. `claim`: the opening of the record's line that names the person
	 * behind the seat; `signature`: that of `Match.entry`, by which `enterSeat` opens the seat later.
	 */
	async keepSeat(
		match: string,
		token: string,
		{
			on = true,
			claim,
			shown = "nobody",
			signature = "",
		}: { on?: boolean; claim?: Opening; shown?: Wire.ClaimOpening["shown"]; signature?: string } = {},
	): Promise<void> {
		const opening = claim && { line: claim.line, salt: claim.salt, signature: claim.signature, shown };
		const asked = {
			t: "keep-seat",
			session: this.#session,
			match,
			token,
			on,
			signature,
			...(opening && { claim: opening }),
		};
		await this.#wired.ask(asked as Wire.KeepSeat, "done");
	}

	/** Enters a seat of one's own without its link: the token, drawn and stored before, opens it from now on. */
	enterSeat(match: string, token: string): Promise<Wire.SeatEntered> {
		return this.#wired.ask({ t: "enter-seat", session: this.#session, match, token }, "seat-entered");
	}

	/** A page of one's own matches. */
	matches(group: Wire.ListMine["group"] = "", text = "", after = 0): Promise<Wire.MyMatches> {
		return this.#wired.ask({ t: "my-matches", session: this.#session, group, text, after }, "my-matches-told");
	}

	/** All data that the server stores about the person. */
	exported(): Promise<Wire.Exported> {
		return this.#wired.ask({ t: "export-me", session: this.#session }, "exported");
	}

	/** Deletes the account, by its handle typed once more; returns whether its bytes are gone from the database by now. */
	async delete(handle: string): Promise<boolean> {
		return !(await this.#wired.ask({ t: "delete-me", session: this.#session, handle }, "deleted")).later;
	}

	/** Ends the session; a session that is over already stays so. */
	async end(): Promise<void> {
		await this.#wired.ask({ t: "sign-out", session: this.#session }, "done").catch(() => null);
		this.#wired.close();
	}
}
