// For Node.js alone: keys in a folder, as the library for Python keeps them too.
import { Key, nameOf } from "./seatkey.js";
const FILES = "node:fs/promises";
const files = async () => import(FILES);
/** Keys in a folder, each in a separate file that no other user may read. */
export class FileKeys {
    folder;
    constructor(folder) {
        this.folder = folder;
    }
    async of(token) {
        const { readFile } = await files();
        const text = await readFile(this.#file(token), "ascii").catch((wrong) => {
            if (wrong.code === "ENOENT") {
                return null;
            }
            throw wrong;
        });
        return text === null ? null : Key.read(text.trim());
    }
    /** The key is written to disk under another name before it replaces the existing one. */
    async keep(token, key) {
        const { mkdir, open, rename, rm } = await files();
        await mkdir(this.folder, { recursive: true, mode: 0o700 });
        const fresh = `${this.#file(token)}.new`;
        await rm(fresh, { force: true });
        const file = await open(fresh, "wx", 0o600);
        await file.writeFile(`${key.text}\n`);
        await file.sync();
        await file.close();
        await rename(fresh, this.#file(token));
    }
    async forget(token) {
        const { rm } = await files();
        await rm(this.#file(token), { force: true });
    }
    #file(token) {
        return `${this.folder}/${nameOf(token)}`;
    }
}
