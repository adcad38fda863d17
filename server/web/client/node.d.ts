import { Key, type Keys } from "./seatkey.js";
/** Keys in a folder, each in a separate file that no other user may read. */
export declare class FileKeys implements Keys {
    #private;
    readonly folder: string;
    constructor(folder: string);
    of(token: string): Promise<Key | null>;
    /** The key is written to disk under another name before it replaces the existing one. */
    keep(token: string, key: Key): Promise<void>;
    forget(token: string): Promise<void>;
}
