// A seat's key, and where it is kept between two visits.
import { BadLink } from "./errors.js";
import { newKey, openOf, shareOf } from "./keys.js";
import { sha256, unb64, utf8 } from "./hashes.js";
/** The bytes before the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8_BYTES = 16;
const KEY_BYTES = 32;
/** An Ed25519 key. Anybody who has its text can act as the seat, and no copy exists elsewhere: keep it. */
export class Key {
    /** The private key as base64url of PKCS #8, as a seat's link holds it (`k=`). */
    text;
    /** The public key, as the record has it. */
    public;
    constructor(own, open) {
        this.text = own;
        this.public = open;
    }
    /** A new key. Throws if WebCrypto has no Ed25519: in old browsers, and in pages that are not secure contexts. */
    static async make() {
        const made = await newKey();
        if (!made) {
            throw new BadLink("There is no WebCrypto here, which is for secure contexts.");
        }
        return new Key(made.own, made.open);
    }
    /** The key that `text` holds. Throws `BadLink`. */
    static async read(text) {
        const open = await openOf(text);
        if (!open || unb64(text).length !== PKCS8_BYTES + KEY_BYTES) {
            throw new BadLink("The key is not whole; copy the link with it (k=…) again.");
        }
        return new Key(text, open);
    }
    /** A seat's share of chance, derived from the key, so that only the key has to be kept. */
    share(mid, seat) {
        return shareOf(this.text, mid, seat);
    }
}
/** Keys in memory, which are lost when the program ends. */
export class MemoryKeys {
    #kept = new Map();
    async of(token) {
        return this.#kept.get(token) ?? null;
    }
    async keep(token, key) {
        this.#kept.set(token, key);
    }
    async forget(token) {
        this.#kept.delete(token);
    }
}
/** Keys in a browser's storage. */
export class BrowserKeys {
    storage;
    constructor(storage = localStorage) {
        this.storage = storage;
    }
    async of(token) {
        const text = this.storage.getItem(nameOf(token));
        return text === null ? null : Key.read(text);
    }
    async keep(token, key) {
        this.storage.setItem(nameOf(token), key.text);
    }
    async forget(token) {
        this.storage.removeItem(nameOf(token));
    }
}
/** The name under which a token's key is kept; it does not give the token away. */
export function nameOf(token) {
    const hex = [...sha256(utf8(token))].map(byte => byte.toString(16).padStart(2, "0")).join("");
    return `${hex.slice(0, 32)}.key`;
}
