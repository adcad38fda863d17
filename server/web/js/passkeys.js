// Passkeys: a second way into an account, kept by the device, a phone or a security key (docs/people.md).
import { b64 } from "../client/hashes.js";
import { random } from "../client/keys.js";
import { newKey, ownKey, signed, signedMessage } from "./account.js";

const USER_BYTES = 16;
/** EdDSA, ES256 and RS256, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257];

/** Whether this browser has passkeys here. */
export const hasPasskeys = () => typeof PublicKeyCredential === "function" && isSecureContext;

/** @param {ArrayBuffer | null | undefined} bytes */
const text = bytes => (bytes ? b64(new Uint8Array(bytes)) : undefined);

/** A credential as JSON, as the standard writes it; older browsers cannot. @param {any} made */
const written = ({ id, rawId, type, response }) => ({
	id,
	rawId: text(rawId),
	type,
	clientExtensionResults: {},
	response: {
		clientDataJSON: text(response.clientDataJSON),
		attestationObject: text(response.attestationObject),
		authenticatorData: text(response.authenticatorData),
		signature: text(response.signature),
		userHandle: text(response.userHandle),
	},
});

/** Asks the browser for a new passkey, which signs a challenge. @param {Uint8Array<ArrayBuffer>} challenge @param {string} name */
async function made(challenge, name) {
	const publicKey = {
		challenge,
		rp: { name: "Herald" },
		user: { id: random(USER_BYTES), name, displayName: name },
		pubKeyCredParams: ALGORITHMS.map(alg => ({ type: /** @type {const} */ ("public-key"), alg })),
		authenticatorSelection: {
			residentKey: /** @type {const} */ ("required"),
			userVerification: /** @type {const} */ ("preferred"),
		},
		attestation: /** @type {const} */ ("none"),
	};
	return written(await navigator.credentials.create({ publicKey }));
}

/** Asks the browser for a challenge's signature by a passkey. @param {Uint8Array<ArrayBuffer>} challenge */
async function shown(challenge) {
	const publicKey = { challenge, userVerification: /** @type {const} */ ("preferred") };
	return written(await navigator.credentials.get({ publicKey }));
}

/** @typedef {import("./account.js").Door} Door */

/** Lets this browser in by a passkey. @param {Door} door @param {string} name of this device */
export async function enterByPasskey(door, name) {
	const key = await newKey();
	const { challenge } = await door.plain("challenge");
	const message = signedMessage("passkey-in", challenge, key.open);
	const credential = await shown(message);
	return door.enter({ t: "passkey-in", key: key.open, signature: await signed(key, message), credential, name });
}

/** Adds a passkey to the account. @param {Door} door @param {string} handle under which an authenticator shows it @param {string} name of this device */
export async function addPasskey(door, handle, name) {
	await door.ask("account");
	const key = await ownKey();
	const { challenge } = await door.plain("challenge");
	const credential = await made(signedMessage("add-passkey", challenge, key?.open ?? ""), handle);
	return door.ask("add-passkey", { credential, name });
}
