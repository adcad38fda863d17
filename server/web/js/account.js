// An account: this browser's key, which no script can read, and the messages that it signs (docs/people.md).
import { socketAt } from "../client/connection.js";
import { b64, tagged, u32, utf8 } from "../client/hashes.js";
import { isSoft } from "../client/keys.js";
import { setAccount } from "./prefs.js";

const ED = "Ed25519";
const STORE = "keys";
const OWN = "own";
const SESSION = "herald.session";
const DIGITS = 12n;

/** @typedef {{ open: string, pair: CryptoKeyPair } | import("./softdevice.js").SoftKey} DeviceKey */

/** The server's refusal, in its words. */
export class Denied extends Error {
	/** @param {string} code @param {string} why */
	constructor(code, why) {
		super(why);
		this.code = code;
	}
}

/** Resolves to the result of a request to the browser's database. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = request =>
	new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});

/** @param {IDBTransactionMode} mode */
async function keys(mode) {
	const request = indexedDB.open("herald.account", 1);
	request.onupgradeneeded = () => request.result.createObjectStore(STORE);
	return (await settled(request)).transaction(STORE, mode).objectStore(STORE);
}

/** This browser's key, if it has one. @returns {Promise<DeviceKey | undefined>} */
export async function ownKey() {
	const key = await settled((await keys("readonly")).get(OWN));
	setAccount(Boolean(key));
	return key;
}

/** A new key that replaces the former one; its private half never leaves the browser. @returns {Promise<DeviceKey>} */
export async function newKey() {
	const key = (await isSoft()) ? await (await import("./softdevice.js")).wrappedKey() : await cryptoKey();
	await settled((await keys("readwrite")).put(key, OWN));
	setAccount(true);
	navigator.storage?.persist?.();
	return key;
}

/** A key of WebCrypto, which no script can read. */
async function cryptoKey() {
	const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey(ED, false, ["sign", "verify"]));
	return { pair, open: b64(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))) };
}

/** Deletes this browser's key. */
export async function forgetKey() {
	setAccount(false);
	await settled((await keys("readwrite")).delete(OWN));
}

/** Whether this browser can have a key here: it cannot on a page without TLS. */
export const isAble = () => Boolean(crypto.subtle);

/** The digits that an old device and a new one both show. @param {string} code @param {string} key */
export function pairingNumber(code, key) {
	const plain = code.toUpperCase().replace(/[^0-9A-Z]/g, "");
	const read = utf8(plain.replace(/[IL]/g, "1").replace(/O/g, "0"));
	const digest = tagged("person/pairing-number", tagged("person/pairing-number", read), utf8(key));
	const number = new DataView(digest.buffer, digest.byteOffset).getBigUint64(0) % 10n ** DIGITS;
	return String(number)
		.padStart(Number(DIGITS), "0")
		.replace(/(\d{4})(?=\d)/g, "$1 ");
}

/** Signs with this browser's key. @param {DeviceKey} key @param {Uint8Array<ArrayBuffer>} message */
export async function signed(key, message) {
	if ("pair" in key) {
		return b64(new Uint8Array(await crypto.subtle.sign(ED, key.pair.privateKey, message)));
	}
	return (await import("./softdevice.js")).wrappedSign(key, message);
}

/** This browser's signature, which states that another device is the same person's. @param {string} key of the other device */
export async function vouched(key) {
	const own = await ownKey();
	const parts = [location.host, "", "", own?.open ?? "", key].map(utf8);
	const message = tagged("person/vouch", ...parts.flatMap(part => [u32(part.length), part]));
	return own ? signed(own, message) : "";
}

/** The text that a device signs here for a purpose. @param {string} purpose @param {string} challenge @param {string[]} said */
export function signedMessage(purpose, challenge, ...said) {
	const parts = [location.host, location.origin, challenge, ...said].map(utf8);
	return tagged(`person/${purpose}`, ...parts.flatMap(part => [u32(part.length), part]));
}

export class Door {
	/** The callers that wait for answers, in order. @type {((m: any) => void)[]} */
	#waiting = [];
	/** @type {Promise<WebSocket> | null} */
	#opened = null;

	/** @returns {Promise<WebSocket>} */
	#socket() {
		this.#opened ??= new Promise((resolve, reject) => {
			const socket = new WebSocket(socketAt(""), "herald.v1+json");
			socket.onopen = () => resolve(socket);
			socket.onmessage = ({ data }) => this.#waiting.shift()?.(JSON.parse(data));
			socket.onclose = () => {
				this.#opened = null;
				const gone = { t: "error", code: "closed", why: "" };
				reject(new Denied(gone.code, gone.why));
				this.#waiting.splice(0).forEach(tell => tell(gone));
			};
		});
		return this.#opened;
	}

	/** Sends one message and gives its answer. @param {object} m @returns {Promise<any>} */
	async #say(m) {
		const socket = await this.#socket();
		const answer = new Promise(resolve => {
			this.#waiting.push(resolve);
		});
		socket.send(JSON.stringify(m));
		const heard = await answer;
		if (heard.t === "error") {
			throw new Denied(heard.code, heard.why);
		}
		return heard;
	}

	/**
	 * Proves that this browser has the key, by a signature over the challenge that counts for this page alone.
	 * @param {string} purpose @param {DeviceKey} key @param {Record<string, string>} fields @param {string[]} said
	 */
	async show(purpose, key, fields = {}, ...said) {
		const { challenge } = await this.#say({ t: "challenge" });
		const message = signedMessage(purpose, challenge, key.open, ...said);
		return this.enter({ t: purpose, key: key.open, signature: await signed(key, message), ...fields });
	}

	/** Sends a message that may begin a session, and keeps the session for this tab. @param {object} m */
	async enter(m) {
		const told = await this.#say(m);
		if (told.session) {
			sessionStorage.setItem(SESSION, told.session);
		}
		return told;
	}

	/** Asks without a session. @param {string} t @param {object} [fields] @returns {Promise<any>} */
	plain(t, fields = {}) {
		return this.#say({ t, ...fields });
	}

	/** Asks as the person, and signs in first if this tab has no session. @param {string} t @param {object} [fields] */
	async ask(t, fields = {}) {
		const session = sessionStorage.getItem(SESSION);
		try {
			if (session) {
				return await this.#say({ t, session, ...fields });
			}
		} catch (wrong) {
			if (!(wrong instanceof Denied) || wrong.code !== "sign-in-refused") {
				throw wrong;
			}
		}
		const key = await ownKey();
		if (!key) {
			throw new Denied("no-key", "");
		}
		const told = await this.show("sign-in", key);
		return this.#say({ t, session: told.session, ...fields });
	}
}
