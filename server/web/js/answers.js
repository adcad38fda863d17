// The answer that is being made: the choices so far in each field of the prompt, and the possible next choices.
import { t } from "./strings.js";

/** @typedef {Record<string, string>} Assigned item to slot */

/** The refs of an option or item. @param {Choosable | undefined} o */
export const refsOf = o => [o?.at || []].flat();

/** The ref of an item that lies on the board in the draft alone. @param {{ id: string }} item */
export const draftRef = ({ id }) => `draft:${id}`;

/** Changes of a draft; every one can be taken back until it is sent. */
export class Answers {
	/** @type {Words.Field[]} */
	fields = [];
	/** The choices so far, by the fields' ids. @type {Record<string, any>} */
	values = {};
	/** The refs chosen on the way to an option. @type {string[]} */
	path = [];
	/** The item that is to be put somewhere. @type {string | null} */
	held = null;
	/** The slot from which the item was taken. @type {string | undefined} */
	lifted = undefined;
	/** The group of options in whose list the path began. @type {string | undefined} */
	group = undefined;
	/** The act: the group of options that was chosen first. @type {string | undefined} */
	verb = undefined;
	/** The piece that is to act, if it was pointed at first. @type {string | undefined} */
	goal = undefined;
	/** Earlier values, as JSON. @type {string[]} */
	past = [];

	/** Begins anew. @param {Words.Field[]} fields */
	begin(fields) {
		this.fields = fields;
		this.past = [];
		this.reset();
	}

	/** Begins anew, as a change that can be taken back. */
	clear() {
		this.keep();
		this.reset();
	}

	reset() {
		this.values = {};
		this.path = [];
		this.verb = undefined;
		this.goal = undefined;
		this.held = null;
		for (const f of this.fields) {
			if (f.draft) {
				this.values[f.id] = structuredClone(f.draft);
			}
		}
	}

	keep() {
		this.past.push(JSON.stringify(this.values));
	}

	undo() {
		this.values = JSON.parse(this.past.pop() ?? "{}");
		this.held = null;
		this.lifted = undefined;
		this.path = [];
	}

	/**
	 * The remaining options on a path: those of the group in whose list the path began, of the chosen act, and with the piece
	 * pointed at.
	 * @param {Words.Field} f @param {string[]} path @param {string | null} [verb] null: of any act
	 */
	candidates(f, path = this.path, verb = this.verb) {
		const group = path.length > 0 ? this.group : undefined;
		const { goal } = this;
		/** @param {Words.Option} o */
		const isLeft = ({ grp = "", at = [] }) =>
			[undefined, grp].includes(group) && [undefined, null, grp].includes(verb) && (!goal || at.at(-1) === goal);
		return (f.options ?? []).filter(o => isLeft(o) && path.every((ref, i) => o.at?.[i] === ref));
	}

	/** @param {Words.Field} f @param {string} id */
	choose(f, id) {
		this.keep();
		this.values[f.id] = id;
	}

	/** @param {Words.Field} f @param {string} id */
	toggle(f, id) {
		this.keep();
		/** @type {string[]} */
		const list = this.values[f.id] ?? [];
		this.values[f.id] = list;
		const i = list.indexOf(id);
		if (i >= 0) {
			list.splice(i, 1);
		} else if (list.length < (f.max ?? Infinity)) {
			list.push(id);
		} else if (f.max === 1) {
			list.splice(0, 1, id);
		}
	}

	/** @param {Words.Field} f @returns {Assigned} */
	assigned(f) {
		return this.values[f.id] || {};
	}

	/** @param {Words.Field} f @param {string} item */
	take(f, item) {
		this.keep();
		this.held = item;
		this.lifted = this.values[f.id][item];
		delete this.values[f.id][item];
	}

	/** Puts an item on a slot; if the slot is full, the two items change places. @param {Words.Field} f @param {string} slot @param {string} item */
	give(f, slot, item) {
		this.keep();
		/** @type {Assigned} */
		const given = this.values[f.id] ?? {};
		this.values[f.id] = given;
		const cap = f.slots?.find(x => x.id === slot)?.cap ?? 1;
		const there = Object.keys(given).filter(k => given[k] === slot);
		if (there.length >= cap) {
			const back = given[item] ?? (this.held === item ? this.lifted : undefined);
			if (back && (!f.legal || f.legal[there[0]]?.includes(back))) {
				given[there[0]] = back;
			} else {
				delete given[there[0]];
			}
		}
		given[item] = slot;
		this.held = null;
		this.lifted = undefined;
	}

	/** Lets go of the held item, or goes one ref back; returns whether there was something to undo. */
	back() {
		if (this.held && this.lifted) {
			this.undo();
		} else if (this.held) {
			this.held = null;
		} else if (this.path.length) {
			this.path.pop();
			this.leave();
		} else if (this.goal) {
			this.goal = undefined;
		} else if (this.verb !== undefined) {
			this.verb = undefined;
		} else {
			return false;
		}
		return true;
	}

	/** An option chosen at the end of the path is dropped when its list is left. */
	leave() {
		const f = this.fields.find(({ id, type }) => type === "one" && this.values[id] !== undefined);
		if (f) {
			this.keep();
			delete this.values[f.id];
		}
	}

	/** Puts the remaining items on the free slots, both in the order of their lists. @param {Words.Field} f */
	fill(f) {
		this.keep();
		const { items = [], slots = [], legal } = f;
		/** @type {Assigned} */
		const given = { ...this.assigned(f) };
		for (const { id, cap = 1 } of slots) {
			const there = Object.values(given).filter(slot => slot === id).length;
			const fits = items.filter(item => !given[item.id] && (!legal || legal[item.id]?.includes(id)));
			fits.slice(0, Math.max(cap - there, 0)).forEach(item => (given[item.id] = id));
		}
		this.values[f.id] = given;
		this.held = null;
		this.lifted = undefined;
	}

	/** How many items an assignment still lacks. @param {Words.Field} f */
	lacks(f) {
		const given = this.assigned(f);
		const { slots = [], items = [] } = f;
		return f.fill === "slots"
			? slots.length - new Set(Object.values(given)).size
			: (f.min ?? items.length) - Object.keys(given).length;
	}

	/** @param {Words.Field} f */
	complete(f) {
		const value = this.values[f.id];
		if (f.type === "one") {
			return value != null || f.optional;
		}
		if (f.type === "many") {
			return (value?.length || 0) >= (f.min || 0);
		}
		return f.type !== "assign" || this.lacks(f) <= 0;
	}

	ready() {
		return this.fields.every(f => this.complete(f));
	}

	/** The answer as it is sent: the only field's value, or all of them by their ids. @returns {Answer} */
	whole() {
		if (this.fields.length !== 1) {
			return structuredClone(this.values);
		}
		const only = this.fields[0];
		return structuredClone(this.values[only.id] ?? (only.type === "many" ? [] : {}));
	}

	/** The assigned items as they would lie on the board. @returns {Drafted[]} */
	drafts() {
		const assigns = this.fields.filter(f => f.type === "assign");
		return assigns.flatMap(f =>
			Object.entries(this.assigned(f)).map(([item, slot]) => ({
				piece: f.items?.find(x => x.id === item),
				slot: f.slots?.find(x => x.id === slot)?.at,
				dock: f.dock,
			})),
		);
	}

	/** The refs that can be chosen now, and those that are chosen. */
	sets() {
		/** @type {Required<RefSets>} */
		const sets = { can: new Set(), sel: new Set(this.path), hint: new Set(), adv: new Set(), why: new Map() };
		/** @param {string | undefined} ref @param {string} label */
		const add = (ref, label) => {
			if (ref) {
				sets.can.add(ref);
				sets.why.set(ref, sets.why.has(ref) ? t("several") : label);
			}
		};
		for (const f of this.fields) {
			if (f.type === "one") {
				this.addOptions(f, sets.sel, add);
			} else if (f.items) {
				this.addItems(f, sets.sel, add);
			}
		}
		return sets;
	}

	/** @param {Words.Field} f @param {Set<string>} sel @param {(ref: string | undefined, label: string) => void} add */
	addOptions(f, sel, add) {
		for (const o of this.candidates(f)) {
			if (!o.off) {
				add(o.at?.[this.path.length], o.label);
				// once the act is chosen, the path may begin with its target
				add(this.verb && !this.path.length ? o.at?.at(-1) : undefined, o.label);
			}
		}
		// a refused choice is not shown beside the way that was begun instead
		const chosen = this.candidates(f).find(o => o.id === this.values[f.id]);
		refsOf(chosen).forEach(ref => sel.add(ref));
	}

	/** @param {Words.Field} f @param {Set<string>} sel @param {(ref: string | undefined, label: string) => void} add */
	addItems(f, sel, add) {
		for (const item of f.items ?? []) {
			add(item.at ?? (f.type === "assign" && this.assigned(f)[item.id] ? draftRef(item) : undefined), item.label);
			const chosen = f.type !== "assign" && this.values[f.id]?.includes(item.id);
			if (item.at && (this.held === item.id || chosen)) {
				sel.add(item.at);
			}
		}
		if (!this.held) {
			return;
		}
		for (const slot of f.slots || []) {
			if (!f.legal || f.legal[this.held]?.includes(slot.id)) {
				add(slot.at, slot.label);
			}
		}
	}
}
