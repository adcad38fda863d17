// This browser's own key where WebCrypto has no Ed25519: wrapped by a key of AES that no script can read out.
import { softKey, softSign } from "../client/softkey.js";
import { utf8 } from "../client/hashes.js";

const AES = "AES-GCM";
const BITS = 256;
const IV_BYTES = 12;

/** @typedef {{ open: string, wrap: CryptoKey, iv: Uint8Array<ArrayBuffer>, sealed: ArrayBuffer }} SoftKey */

/** A new key; its secret half is kept only in sealed form. @returns {Promise<SoftKey>} */
export async function wrappedKey() {
	const { own, open } = await softKey();
	const made = await crypto.subtle.generateKey({ name: AES, length: BITS }, false, ["encrypt", "decrypt"]);
	const wrap = /** @type {CryptoKey} */ (made);
	const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
	const sealed = await crypto.subtle.encrypt({ name: AES, iv }, wrap, utf8(own));
	return { open, wrap, iv, sealed };
}

/** @param {SoftKey} key @param {Uint8Array<ArrayBuffer>} message */
export async function wrappedSign({ wrap, iv, sealed }, message) {
	const own = new TextDecoder().decode(await crypto.subtle.decrypt({ name: AES, iv }, wrap, sealed));
	return softSign(own, message);
}
