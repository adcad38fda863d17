// Makes each move durable before anybody is told of it: a line in a file, synced. Without a file it does nothing.
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";

export class Log {
	#file;

	constructor(path) {
		this.#file = path ? openSync(path, "a") : null;
	}

	keep(line) {
		if (this.#file !== null) {
			writeSync(this.#file, `${JSON.stringify(line)}\n`);
			fdatasyncSync(this.#file);
		}
	}

	close() {
		if (this.#file !== null) {
			closeSync(this.#file);
		}
	}
}
