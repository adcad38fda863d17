// A seat's key, and where it is kept between two visits.
import { BadLink } from "./errors.js";
import { newKey, openOf, shareOf } from "./keys.js";
import { sha256, unb64, utf8, type Bytes } from "./hashes.js";

/** The bytes before the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8_BYTES = 16;
const KEY_BYTES = 32;

/** An Ed25519 key. Anybody who has its text can act as the seat, and no copy exists elsewhere: keep it. */
export class Key {
	/** The private key as base64url of PKCS #8, as a seat's link holds it (`k=`). */
	readonly text: string;
	/** The public key, as the record has it. */
	readonly public: string;

	private constructor(own: string, open: string) {
		this.text = own;
		this.public = open;
	}

	/** A new key. Throws if WebCrypto has no Ed25519: in old browsers, and in pages that are not secure contexts. */
	static async make(): Promise<Key> {
		const made = await newKey();
		if (!made) {
			throw new BadLink("There is no WebCrypto here, which is for secure contexts.");
		}
		return new Key(made.own, made.open);
	}

	/** The key that `text` holds. Throws `BadLink`. */
	static async read(text: string): Promise<Key> {
		const open = await openOf(text);
		if (!open || unb64(text).length !== PKCS8_BYTES + KEY_BYTES) {
			throw new BadLink("The key is not whole; copy the link with it (k=…) again.");
		}
		return new Key(text, open);
	}

	/** A seat's share of chance, derived from the key, so that only the key has to be kept. */
	share(mid: Bytes, seat: number): string {
		return shareOf(this.text, mid, seat);
	}
}

/** The store of keys, by the token of their seat. */
export interface Keys {
	of(token: string): Promise<Key | null>;
	keep(token: string, key: Key): Promise<void>;
	forget(token: string): Promise<void>;
}

/** Keys in memory, which are lost when the program ends. */
export class MemoryKeys implements Keys {
	readonly #kept = new Map<string, Key>();

	async of(token: string): Promise<Key | null> {
		return this.#kept.get(token) ?? null;
	}

	async keep(token: string, key: Key): Promise<void> {
		this.#kept.set(token, key);
	}

	async forget(token: string): Promise<void> {
		this.#kept.delete(token);
	}
}

/** Keys in a browser's storage. */
export class BrowserKeys implements Keys {
	constructor(readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem"> = localStorage) {}

	async of(token: string): Promise<Key | null> {
		const text = this.storage.getItem(nameOf(token));
		return text === null ? null : Key.read(text);
	}

	async keep(token: string, key: Key): Promise<void> {
		this.storage.setItem(nameOf(token), key.text);
	}

	async forget(token: string): Promise<void> {
		this.storage.removeItem(nameOf(token));
	}
}

/** The name under which a token's key is kept; it does not give the token away. */
export function nameOf(token: string): string {
	const hex = [...sha256(utf8(token))].map(byte => byte.toString(16).padStart(2, "0")).join("");
	return `${hex.slice(0, 32)}.key`;
}
