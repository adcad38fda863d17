// JSON as a tree that opens where one asks; what was open stays open, and what has changed since is marked.
import { h } from "../js/dom.js";

/** Values that are printed on one line are at most this long. */
const SHORT = 64;

/** @param {unknown} value @returns {value is object} */
const isNested = value => typeof value === "object" && value !== null;

/** @param {unknown} value */
function kindOf(value) {
	return value === null ? "null" : typeof value;
}

export class Tree {
	/** Paths that are open. @type {Set<string>} */
	open = new Set();
	/** @type {unknown} */
	last = undefined;

	/** The value as elements; compared with the one before. @param {unknown} value */
	draw(value) {
		const before = this.last ?? value;
		this.last = value;
		return h("div.tree", this.entries(value, before, ""));
	}

	/** The content of an object or a list. @param {unknown} value @param {unknown} before @param {string} path */
	entries(value, before, path) {
		const former = /** @type {Record<string, unknown>} */ (isNested(before) ? before : {});
		return Object.entries(value ?? {}).map(([key, one]) => this.node(key, one, former[key], `${path}/${key}`));
	}

	/** @param {string} name @param {unknown} value @param {unknown} before @param {string} path @returns {HTMLElement} */
	node(name, value, before, path) {
		const label = h("b", name);
		const isNew = value !== before && JSON.stringify(value) !== JSON.stringify(before);
		const mark = isNew ? ".new" : "";
		const text = JSON.stringify(value) ?? "";
		if (!isNested(value) || text.length <= SHORT) {
			return h(`div.leaf${mark}`, label, h(`code.${kindOf(value)}`, text));
		}
		return this.branch(h(`details${mark}`), label, value, { before, path });
	}

	/**
	 * @param {HTMLElement} el @param {HTMLElement} label @param {object} value
	 * @param {{ before: unknown, path: string }} was
	 */
	branch(el, label, value, { before, path }) {
		const size = Object.keys(value).length;
		el.append(h("summary", label, h("i", Array.isArray(value) ? `[${size}]` : `{${size}}`)));
		let isDrawn = false;
		const fill = () => {
			if (!isDrawn) {
				isDrawn = true;
				el.append(...this.entries(value, before, path));
			}
		};
		this.remember(/** @type {HTMLDetailsElement} */ (el), path, fill);
		return el;
	}

	/** @param {HTMLDetailsElement} el @param {string} path @param {() => void} fill */
	remember(el, path, fill) {
		if (this.open.has(path)) {
			fill();
			el.setAttribute("open", "");
		}
		el.addEventListener("toggle", () => {
			if (el.open) {
				fill();
				this.open.add(path);
			} else {
				this.open.delete(path);
			}
		});
	}
}
