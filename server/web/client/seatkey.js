// A seat's key, and where it is kept between two visits.
import { BadLink } from "./errors.js";
import { newKey, shareOf } from "./keys.js";
import { sha256, unb64, utf8 } from "./hashes.js";
const ED = "Ed25519";
/** What stands before the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8_BYTES = 16;
const KEY_BYTES = 32;
/** An Ed25519 key. Whoever has its text is the seat, and nobody else has it: keep it. */
export class Key {
    /** The private key as base64url of PKCS #8, as a seat's link holds it (`k=`). */
    text;
    /** The public key, as the record has it. */
    public;
    constructor(own, open) {
        this.text = own;
        this.public = open;
    }
    /** A new key. Throws where WebCrypto has no Ed25519: in old browsers, and in pages that are not secure contexts. */
    static async make() {
        const made = await newKey();
        if (!made) {
            throw new BadLink("There is no Ed25519 here: WebCrypto is for secure contexts, and for browsers of 2025 on.");
        }
        return new Key(made.own, made.open);
    }
    /** The key that `text` says. Throws `BadLink`. */
    static async read(text) {
        try {
            const raw = unb64(text);
            if (raw.length !== PKCS8_BYTES + KEY_BYTES) {
                throw new SyntaxError("not a key");
            }
            const key = await crypto.subtle.importKey("pkcs8", raw, ED, true, ["sign"]);
            const { x = "" } = await crypto.subtle.exportKey("jwk", key);
            return new Key(text, x);
        }
        catch {
            throw new BadLink("The key is not whole; copy the link with it (k=…) again.");
        }
    }
    /** A seat's share of chance, made out of the key, so that one thing has to be kept. */
    share(mid, seat) {
        return shareOf(this.text, mid, seat);
    }
}
/** Keys that are gone with the program. */
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
/** What a token's key is kept as, which does not tell the token. */
export function nameOf(token) {
    const hex = [...sha256(utf8(token))].map(byte => byte.toString(16).padStart(2, "0")).join("");
    return `${hex.slice(0, 32)}.key`;
}
