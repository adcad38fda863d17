import type { Scene, Step, Wire } from "./wire.js";
export declare function merge(target: unknown, patch: unknown): unknown;
export declare function applyStep(scene: Scene, step: Step): Scene;
/**
 * The messages that arrive for a timeline. A patch fits only the Scene at its frame's `from` - 1. If the last Scene is another one,
 * a whole Scene is requested, which is accepted at any line.
 */
export declare class Incoming {
    seq: number | undefined;
    asked: boolean;
    take: (...steps: Step[]) => void;
    missing: () => void;
    /** `missing` is called if a whole Scene is needed. */
    constructor(take: (...steps: Step[]) => void, missing: () => void);
    snapshot(m: Wire.Snapshot): void;
    events({ from, to, steps }: Wire.Events): void;
}
