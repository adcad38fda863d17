import type { Line } from "./lines.js";
import type { ClientMessage } from "./wire.js";
/** The verified lines in which one's own seat has said something, by number. */
export declare class OwnLines {
    #private;
    /** Keeps those of the lines that the seat itself said. */
    take(lines: Line[], seat: number | null): void;
    /** Whether a line is the result of a message: it has the message's id, the new key, or the hint's decision. */
    answer(seq: number, message: ClientMessage & {
        id: string;
    }): boolean;
}
