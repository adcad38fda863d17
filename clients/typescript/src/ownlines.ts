// Holds what a server says it has accepted to the verified lines.
import type { Line } from "./lines.js";
import type { ClientMessage } from "./wire.js";

/** The verified lines in which one's own seat has said something, by number. */
export class OwnLines {
	readonly #lines = new Map<number, Line>();

	/** Keeps those of the lines that the seat itself said. */
	take(lines: Line[], seat: number | null): void {
		for (const line of lines) {
			if (seat !== null && line.fields.seat === seat) {
				this.#lines.set(line.seq, line);
			}
		}
	}

	/** Whether a line is the result of a message: it has the message's id, the new key, or the hint's decision. */
	answer(seq: number, message: ClientMessage & { id: string }): boolean {
		const line = this.#lines.get(seq);
		if (!line) {
			return false;
		}
		if (message.t === "key") {
			return line.type === "SeatKeyed" && line.fields.key === message.key;
		}
		if (message.t === "person") {
			return line.type === "SeatClaimed" && line.fields.commitment === message.commitment;
		}
		if (message.t === "hint") {
			return line.type === "HintAsked" && line.fields.number === message.decision;
		}
		return line.fields.id === message.id;
	}
}
