// For Node.js alone: keys in a folder, as the library for Python keeps them too.
import { Key, nameOf, type Keys } from "./seatkey.js";

/** The part of node:fs/promises that is used here. */
interface Files {
	mkdir(path: string, options: { recursive: true; mode: number }): Promise<unknown>;
	open(path: string, flags: string, mode: number): Promise<OpenFile>;
	readFile(path: string, encoding: "ascii"): Promise<string>;
	rename(from: string, to: string): Promise<void>;
	rm(path: string, options: { force: true }): Promise<void>;
}
interface OpenFile {
	writeFile(text: string): Promise<void>;
	sync(): Promise<void>;
	close(): Promise<void>;
}

const FILES = "node:fs/promises";
const files = async (): Promise<Files> => import(FILES);

/** Keys in a folder, each in a separate file that no other user may read. */
export class FileKeys implements Keys {
	constructor(readonly folder: string) {}

	async of(token: string): Promise<Key | null> {
		const { readFile } = await files();
		const text = await readFile(this.#file(token), "ascii").catch((wrong: { code?: string }) => {
			if (wrong.code === "ENOENT") {
				return null;
			}
			throw wrong;
		});
		return text === null ? null : Key.read(text.trim());
	}

	/** The key is written to disk under another name before it replaces the existing one. */
	async keep(token: string, key: Key): Promise<void> {
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

	async forget(token: string): Promise<void> {
		const { rm } = await files();
		await rm(this.#file(token), { force: true });
	}

	#file(token: string): string {
		return `${this.folder}/${nameOf(token)}`;
	}
}
