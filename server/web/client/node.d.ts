import { Key, type Keys } from "./seatkey.js";
/** Keys in a folder, each in a file of its own that nobody else may read. */
export declare class FileKeys implements Keys {
    #private;
    readonly folder: string;
    constructor(folder: string);
    of(token: string): Promise<Key | null>;
    /** It is on disk under another name before it takes the place of the one that is there. */
    keep(token: string, key: Key): Promise<void>;
    forget(token: string): Promise<void>;
}
