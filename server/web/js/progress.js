// The lessons done in this browser, and the progress of the one under way.

/** @param {string} key @param {any} other */
function read(key, other) {
	try {
		return JSON.parse(localStorage.getItem(`herald.${key}`) ?? "null") ?? other;
	} catch {
		return other;
	}
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
	try {
		localStorage.setItem(`herald.${key}`, JSON.stringify(value));
	} catch {
		/* not kept */
	}
}

/** The names of a game's lessons that are done. @param {string} game @returns {string[]} */
export const doneOf = game => read("lessons", {})[game] ?? [];

/** @param {string} game @param {string} name */
export function markDone(game, name) {
	const done = doneOf(game);
	if (!done.includes(name)) {
		write("lessons", { ...read("lessons", {}), [game]: [...done, name] });
	}
}

/** The choices made in a lesson so far, which are stored only for the lesson taken last. @param {string} game @param {string} name @returns {Answer[]} */
export function choicesIn(game, name) {
	const kept = read("lesson", {});
	return kept.game === game && kept.name === name ? kept.choices : [];
}

/** @param {string} game @param {string} name @param {Answer[]} choices */
export const keepChoices = (game, name, choices) => write("lesson", { game, name, choices });

/** @param {string} game @param {string} name */
export const lessonLink = (game, name) => `/lesson#g=${game}&n=${encodeURIComponent(name)}`;
