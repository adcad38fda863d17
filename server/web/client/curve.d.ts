import type { Bytes } from "./hashes.js";
/**
 * Whether 32 bytes may be a key, or the point of a signature: they are y in its only valid form, and the order of the point does not
 * divide 8. Under a key of low order, one signature is valid for every message.
 */
export declare function isSound(point: Bytes): boolean;
/** Whether a signature is the key's over one of the messages; null if WebCrypto has no Ed25519. */
export declare function fits(key: Bytes, signature: Bytes, messages: Bytes[]): Promise<boolean | null>;
