export type Bytes = Uint8Array<ArrayBuffer>;
export declare function concat(parts: Bytes[]): Uint8Array<ArrayBuffer>;
export declare const sha256: (...parts: Bytes[]) => Uint8Array<ArrayBuffer>;
export declare function hmac(key: Bytes, ...parts: Bytes[]): Uint8Array<ArrayBuffer>;
export declare const utf8: (s: string) => Bytes;
export declare function tagged(tag: string, ...parts: Bytes[]): Uint8Array<ArrayBuffer>;
export declare const prf: (key: Bytes, label: string, ...parts: Bytes[]) => Uint8Array<ArrayBuffer>;
export declare const u8: (n: number) => Uint8Array<ArrayBuffer>;
export declare const u32: (n: number) => Uint8Array<ArrayBuffer>;
export declare const u64: (n: number) => Uint8Array<ArrayBuffer>;
export declare const same: (a: ArrayLike<number>, b: ArrayLike<number>) => boolean;
export declare const b64: (bytes: Uint8Array) => string;
export declare function unb64(s: string): Bytes;
/** The 32 bytes of a key, a hash or a share of chance. */
export declare function unb64Key(s: string): Bytes;
