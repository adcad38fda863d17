/** Prints the errors and warnings of AsyncAPI's parser, a line each, then how many messages it read: node check.mjs FILE. */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { Parser } from "@asyncapi/parser";

const [file] = process.argv.slice(2);
const { document, diagnostics } = await new Parser().parse(await readFile(file, "utf8"), { source: file });
const WARNING = 1; // 0 is an error; what is above a warning is advice
for (const found of diagnostics.filter((one) => one.severity <= WARNING)) {
	console.log(`${found.path.join(".")}: ${found.message}`);
}
if (document) console.log(`${document.messages().all().length} messages`);
