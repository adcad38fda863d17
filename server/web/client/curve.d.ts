import type { Bytes } from "./hashes.js";
/**
 * Whether 32 bytes may be a key, or the point of a signature: y written in the one way, of a point whose order does not
 * divide 8. Under a key of low order one signature holds for every message.
 */
export declare function isSound(point: Bytes): boolean;
/** Whether a signature is the key's over one of the messages; null if WebCrypto has no Ed25519. */
export declare function fits(key: Bytes, signature: Bytes, messages: Bytes[]): Promise<boolean | null>;
