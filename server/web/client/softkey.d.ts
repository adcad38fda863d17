import { type Bytes } from "./hashes.js";
/** The public key of a private one. Rejects with `SyntaxError` for a text that is no key. */
export declare const softOpen: (own: string) => Promise<string>;
export declare const softSign: (own: string, message: Bytes) => Promise<string>;
/** A new key. */
export declare function softKey(): Promise<{
    own: string;
    open: string;
}>;
