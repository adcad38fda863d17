import { type Bytes } from "./hashes.js";
/** An Ed25519 key. Anybody who has its text can act as the seat, and no copy exists elsewhere: keep it. */
export declare class Key {
    /** The private key as base64url of PKCS #8, as a seat's link holds it (`k=`). */
    readonly text: string;
    /** The public key, as the record has it. */
    readonly public: string;
    private constructor();
    /** A new key. Throws if WebCrypto has no Ed25519: in old browsers, and in pages that are not secure contexts. */
    static make(): Promise<Key>;
    /** The key that `text` holds. Throws `BadLink`. */
    static read(text: string): Promise<Key>;
    /** A seat's share of chance, derived from the key, so that only the key has to be kept. */
    share(mid: Bytes, seat: number): string;
}
/** The store of keys, by the token of their seat. */
export interface Keys {
    of(token: string): Promise<Key | null>;
    keep(token: string, key: Key): Promise<void>;
    forget(token: string): Promise<void>;
}
/** Keys in memory, which are lost when the program ends. */
export declare class MemoryKeys implements Keys {
    #private;
    of(token: string): Promise<Key | null>;
    keep(token: string, key: Key): Promise<void>;
    forget(token: string): Promise<void>;
}
/** Keys in a browser's storage. */
export declare class BrowserKeys implements Keys {
    readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
    constructor(storage?: Pick<Storage, "getItem" | "setItem" | "removeItem">);
    of(token: string): Promise<Key | null>;
    keep(token: string, key: Key): Promise<void>;
    forget(token: string): Promise<void>;
}
/** The name under which a token's key is kept; it does not give the token away. */
export declare function nameOf(token: string): string;
