// Whether two modules say the same: their syntax trees, without places, are equal; `const` may be sent as `let`.
// Paths in pairs; prints those that differ.
import { parse } from "acorn";
import { readFileSync } from "node:fs";

const PLACES = new Set(["start", "end", "raw"]);

function tree(path) {
	const parsed = parse(readFileSync(path, "utf8"), { ecmaVersion: "latest", sourceType: "module" });
	return JSON.stringify(parsed, (key, value) => {
		if (PLACES.has(key)) {
			return undefined;
		}
		if (key === "kind" && value === "const") {
			return "let";
		}
		return typeof value === "bigint" ? `${value}n` : value;
	});
}

const paths = process.argv.slice(2);
for (let i = 0; i < paths.length; i += 2) {
	if (tree(paths[i]) !== tree(paths[i + 1])) {
		console.log(paths[i]);
	}
}
