// Two folders of modules say the same: their syntax trees, without places, are equal.
import { parse } from "acorn";
import { readFileSync, readdirSync } from "node:fs";
const [one, other] = process.argv.slice(2);
const bare = text => JSON.stringify(parse(text, { ecmaVersion: "latest", sourceType: "module" }), (k, v) => (["start", "end", "raw"].includes(k) ? undefined : typeof v === "bigint" ? `${v}n` : v));
for (const name of ["verify.js", ...readdirSync(one + "/js").filter(n => n.endsWith(".js")).map(n => "js/" + n)]) {
	try { if (bare(readFileSync(`${one}/${name}`, "utf8")) !== bare(readFileSync(`${other}/${name}`, "utf8"))) console.log("differs", name); } catch (e) { console.log(name, e.message); }
}
