const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export function merge(target, patch) {
    if (!isObject(patch)) {
        return patch;
    }
    const out = isObject(target) ? { ...target } : {};
    for (const key in patch) {
        if (patch[key] === null) {
            delete out[key];
        }
        else {
            out[key] = merge(out[key], patch[key]);
        }
    }
    return out;
}
export function applyStep(scene, step) {
    if (step.scene) {
        return step.scene;
    }
    const next = merge(scene, step.set || {});
    if (step.log) {
        next.log = (scene.log || []).concat(step.log);
    }
    next.seq = step.seq;
    return next;
}
/**
 * The messages that arrive for a timeline. A patch fits only the Scene at its frame's `from` - 1. If the last Scene is another one,
 * a whole Scene is requested, which is accepted at any line.
 */
export class Incoming {
    seq = undefined;
    asked = false;
    take;
    missing;
    /** `missing` is called if a whole Scene is needed. */
    constructor(take, missing) {
        this.take = take;
        this.missing = missing;
    }
    snapshot(m) {
        if (m.seq !== this.seq) {
            this.take(m);
        }
        this.seq = m.seq;
        this.asked = false;
    }
    events({ from, to, steps = [] }) {
        const old = this.seq !== undefined && to <= this.seq;
        if (!steps.length || old || this.asked) {
            return;
        }
        if (from - 1 === this.seq) {
            this.take(...steps);
            this.seq = to;
        }
        else {
            this.asked = true;
            this.missing();
        }
    }
}
