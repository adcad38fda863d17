import { type Bytes } from "./hashes.js";
/** The public key of a private one. Rejects with `SyntaxError` for what is none. */
export declare const softOpen: (own: string) => Promise<string>;
export declare const softSign: (own: string, message: Bytes) => Promise<string>;
/** A new key. */
export declare function softKey(): Promise<{
    own: string;
    open: string;
}>;
