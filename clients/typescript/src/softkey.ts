// Ed25519 keys where WebCrypto has SHA-512 but no Ed25519, as in browsers before 2025: a library signs, loaded only there.
import { b64, concat, unb64, type Bytes } from "./hashes.js";

const SEED_BYTES = 32;
/** The bytes before the 32 bytes of an Ed25519 key (RFC 8410). */
const FRONT = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20);

const library = () => import("./noble-ed25519.js");

/** The 32 secret bytes of a key as PKCS #8. Throws `SyntaxError`. */
function seedOf(own: string): Bytes {
	const raw = unb64(own);
	if (raw.length !== FRONT.length + SEED_BYTES || FRONT.some((byte, i) => raw[i] !== byte)) {
		throw new SyntaxError("not a key");
	}
	return raw.slice(FRONT.length);
}

/** The public key of a private one. Rejects with `SyntaxError` for a text that is no key. */
export const softOpen = async (own: string) =>
	b64(new Uint8Array(await (await library()).getPublicKeyAsync(seedOf(own))));

export const softSign = async (own: string, message: Bytes) =>
	b64(new Uint8Array(await (await library()).signAsync(message, seedOf(own))));

/** A new key. */
export async function softKey() {
	const own = b64(concat([FRONT, crypto.getRandomValues(new Uint8Array(SEED_BYTES))]));
	return { own, open: await softOpen(own) };
}
