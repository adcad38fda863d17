// The shape of every line (docs/schema/lines.json): its fields, their types and defaults, and its slots.
import { KERNEL } from "./kernel.js";
const isObject = (x) => x?.constructor === Object;
const CHECKS = {
    integer: Number.isInteger,
    boolean: x => typeof x === "boolean",
    text: x => typeof x === "string",
    null: x => x === null,
    object: isObject,
    any: () => true,
};
const isEmpty = (x) => Array.isArray(x) && !x.length;
/** The number of a version of rules, as in `vera_discordia/2`; -1 for another text. */
export const rulesNumber = (rules) => Number(/^[^/]*\/(0|[1-9][0-9]{0,8})$/.exec(rules)?.[1] ?? -1);
/** The audience of a seat or of several; -1, which is none, for a value that is no seat of the match. */
function maskOf(seats, count) {
    const among = Array.isArray(seats) ? seats : [seats];
    return among.every(seat => seat >= 0 && seat < count) ? among.reduce((mask, seat) => mask | (1 << seat), 0) : -1;
}
/** Checks lines against the tables of the kernel and of one game; without a game, games' lines are not checked. */
export class Shapes {
    lines;
    structs;
    game;
    constructor(game) {
        this.game = game;
        this.lines = { ...game?.lines, ...KERNEL.lines };
        this.structs = { ...game?.structs, ...KERNEL.structs };
    }
    /** Whether a line is common to all games. */
    isKernels(type) {
        return Object.hasOwn(KERNEL.lines, type);
    }
    /** Why a line lacks its shape; nothing if it has it, or if the kind is unknown. */
    fault(type, payload, masks, seats) {
        if (!Object.hasOwn(this.lines, type)) {
            return this.game ? `there is no line ${type}` : "";
        }
        if (!isObject(payload)) {
            return `${type} holds no object`;
        }
        const { fields, slots = [] } = this.lines[type];
        const why = this.fieldsFault(fields, payload, []);
        if (why) {
            return `${type} ${why}`;
        }
        const due = slots.map(([audience]) => maskOf(audience ? payload[audience] : [], seats));
        return masks.join() === due.join() ? "" : `its slots are for ${masks.join()}, and these are for ${due.join()}`;
    }
    /** Why an opened value does not fit its slot; nothing if it does, or if it is null. */
    openedFault(type, slot, value) {
        const kind = Object.hasOwn(this.lines, type) ? this.lines[type].slots?.[slot][1] : undefined;
        return !kind || value === null || this.fits(kind, value) ? "" : `slot ${slot} of ${type} holds what it cannot`;
    }
    fieldsFault(fields, held, tag) {
        const names = [...tag, ...Object.keys(fields)];
        let at = -1;
        for (const name of Object.keys(held)) {
            at = names.indexOf(name, at + 1);
            if (at < 0) {
                return `has the field ${name}, which there is not or not here`;
            }
        }
        for (const [name, [kind, ...left]] of Object.entries(fields)) {
            if (!Object.hasOwn(held, name)) {
                if (!left.length) {
                    return `has no ${name}`;
                }
            }
            else if (!this.fits(kind, held[name])) {
                return `has a ${name} that it cannot have`;
            }
            else if (left.length && (held[name] === left[0] || (isEmpty(held[name]) && isEmpty(left[0])))) {
                return `has ${name}, which is left out at its default`;
            }
        }
        return "";
    }
    fits(kind, value) {
        if (typeof kind === "string") {
            return Object.hasOwn(CHECKS, kind) ? CHECKS[kind](value) : this.fitsStruct(this.structs[kind], value);
        }
        const [name, ...rest] = kind;
        switch (name) {
            case "list":
                return Array.isArray(value) && value.every(one => this.fits(rest[0], one));
            case "tuple":
                return Array.isArray(value) && value.length === rest.length && rest.every((one, i) => this.fits(one, value[i]));
            case "map":
                return isObject(value) && Object.values(value).every(one => this.fits(rest[0], one));
            case "one":
                return rest.some(one => this.fits(one, value));
            case "range":
                return Number.isInteger(value) && value >= (rest[0] ?? value) && value <= (rest[1] ?? value);
        }
        return rest.includes(value);
    }
    fitsStruct({ fields, tag }, value) {
        if (!isObject(value) || (tag && value[tag[0]] !== tag[1])) {
            return false;
        }
        return !this.fieldsFault(fields, value, tag ? [tag[0]] : []);
    }
}
