import { pathToFileURL } from "node:url";

const [chances, strings, language] = process.argv.slice(2);
globalThis.document = {
	documentElement: { setAttribute: () => {} },
	getElementById: () => ({ textContent: JSON.stringify({ en: {}, de: {} }) }),
	querySelectorAll: () => [],
};
globalThis.localStorage = { getItem: () => language };
Object.defineProperty(globalThis, "navigator", { value: { languages: [] } });
await (await import(pathToFileURL(strings))).loadStrings();
const { decimal } = await import(pathToFileURL(chances));
console.log(decimal(3.44), decimal(1234));
