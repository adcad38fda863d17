// A table in another language than English: texts left in English are marked, so that a screen reader pronounces them.
import { merge } from "../client/patches.js";
import { language } from "./strings.js";

/** The texts in English. @type {Set<string | null>} */
let english = new Set();
/** @type {MutationObserver | undefined} */
let watching = undefined;
/** The elements marked here; an element that is always in English keeps its mark. @type {WeakSet<Element>} */
const marked = new WeakSet();

/** Marks an element whose words are in English. @param {Element} el */
function look(el) {
	if (english.has(el.ariaLabel) || (!el.children.length && english.has(el.textContent))) {
		el.setAttribute("lang", "en");
		marked.add(el);
	} else if (marked.delete(el)) {
		el.removeAttribute("lang");
	}
}

function lookAll() {
	document.querySelectorAll("body *").forEach(look);
}

/** Marks these texts wherever they occur, from now on. @param {string[] | undefined} texts */
export function mark(texts = []) {
	english = new Set(texts);
	lookAll();
	watching ??= new MutationObserver(lookAll);
	watching.observe(document.body, { childList: true, characterData: true, subtree: true });
}

/**
 * The bundle of a page of several languages, in the reader's language: the differences are stored beside the bundle.
 * @param {Bundle} bundle
 * @returns {Bundle}
 */
export function told(bundle) {
	const differs = bundle.said?.[language];
	if (!differs) {
		return bundle;
	}
	const tracks = Object.entries(bundle.tracks).map(([view, { scene, steps }]) => {
		const other = differs[view];
		const said = steps.map((step, i) => merge(step, other.steps[i] ?? {}));
		return [view, { scene: merge(scene, other.scene ?? {}), steps: said }];
	});
	return { ...bundle, tracks: Object.fromEntries(tracks) };
}
