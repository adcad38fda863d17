/** Math.random as `Below`: good enough for a bot. */
export const byLot = bound => Math.floor(Math.random() * bound);
const firstOf = () => 0;
/** A legal answer: the first option, the first items, the arrangement that the prompt proposes. */
export function first(field) {
    return isAssigned(field.draft) ? { ...field.draft } : some(field, firstOf);
}
const isAssigned = (draft) => typeof draft === "object" && draft !== null && !Array.isArray(draft);
/** A random legal answer; options that are answered with a file are left out. */
export function some(field, below = byLot) {
    const { items = [], min = 0 } = field;
    if (field.type === "one") {
        const open = (field.options ?? []).filter(option => !option.off && !option.file);
        return open[below(open.length)].id;
    }
    if (field.type === "many") {
        const most = Math.min(field.max ?? items.length, items.length);
        const count = min + below(most - min + 1);
        const chosen = new Set(mixed(items, below).slice(0, count));
        return items.filter(item => chosen.has(item)).map(item => item.id);
    }
    return assigned(field, below);
}
/** Some things in a random order; with a `Below` that always gives 0, in the given order. */
function mixed(all, below) {
    const left = [...all];
    return all.map(() => left.splice(below(left.length), 1)[0]);
}
/** Assigns items to slots: a slot to each item, or an item to each slot, each pair as `legal` allows. */
function assigned(field, below) {
    const items = mixed(field.items ?? [], below).map(item => item.id);
    const slots = mixed(field.slots ?? [], below).map(slot => slot.id);
    /** The item that lies on each slot. */
    const lies = new Map();
    const bySlot = field.fill === "slots";
    const wanted = bySlot ? slots.length : (field.min ?? items.length);
    for (const item of items) {
        if (lies.size < wanted) {
            place(item, { field, slots, lies, tried: new Set() });
        }
    }
    return Object.fromEntries([...lies].map(([slot, item]) => [item, slot]));
}
/** Finds a slot for an item: a free one, or one whose item can move to another (augmenting paths). */
function place(item, all) {
    const { field, slots, lies, tried } = all;
    const open = slots.filter(slot => !field.legal || field.legal[item]?.includes(slot));
    for (const slot of [...open.filter(one => !lies.has(one)), ...open.filter(one => lies.has(one))]) {
        if (tried.has(slot)) {
            continue;
        }
        tried.add(slot);
        const there = lies.get(slot);
        if (there === undefined || place(there, all)) {
            lies.set(slot, item);
            return true;
        }
    }
    return false;
}
/** Why an answer does not fit a field, as a sentence; "" if it does. The server decides. */
export function fault(field, answer) {
    if (field.type === "one") {
        return faultOfOne(field, answer);
    }
    if (field.type === "many") {
        return faultOfMany(field, answer);
    }
    return field.type === "assign" ? faultOfAssigned(field, answer) : "";
}
function faultOfOne({ options = [] }, answer) {
    if (typeof answer === "object" && answer !== null && "do" in answer) {
        const named = options.some(option => option.file?.do === answer.do);
        return named ? "" : "No option takes this choice.";
    }
    const found = options.find(option => option.id === String(answer));
    if (!found) {
        return "Name an option by its id.";
    }
    return found.off ? `This option is closed: ${found.off}` : "";
}
function faultOfMany({ items = [], min = 0, max = items.length }, answer) {
    const ids = new Set(items.map(item => item.id));
    if (!Array.isArray(answer) || !answer.every(one => ids.has(one))) {
        return "Name items by their ids, in a list.";
    }
    if (new Set(answer).size < answer.length) {
        return "An item is named twice.";
    }
    return answer.length < min || answer.length > max ? `Choose from ${min} to ${max} items.` : "";
}
function faultOfAssigned(field, answer) {
    const { items = [], slots = [], legal } = field;
    if (!isAssigned(answer)) {
        return "Name a slot for each item, as an object.";
    }
    const pairs = Object.entries(answer);
    const known = new Set(items.map(item => item.id));
    const places = new Set(slots.map(slot => slot.id));
    if (!pairs.every(([item, slot]) => known.has(item) && places.has(slot))) {
        return "An item or a slot is not the field's.";
    }
    if (new Set(Object.values(answer)).size < pairs.length) {
        return "Two items are on one slot.";
    }
    if (legal && !pairs.every(([item, slot]) => legal[item]?.includes(slot))) {
        return "An item cannot be on its slot.";
    }
    const wanted = field.fill === "slots" ? slots.length : (field.min ?? items.length);
    return pairs.length < wanted ? `Assign ${wanted}; ${pairs.length} are assigned.` : "";
}
