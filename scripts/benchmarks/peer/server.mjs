// boardgame.io's own server, its matches in memory. Prints its port, and serves until its input is closed.
import { createRequire } from "node:module";
import { game } from "./game.mjs";

const { Server } = createRequire(import.meta.url)("boardgame.io/server");

console.info = () => {};
const { appServer } = await Server({ games: [game], origins: [] }).run({ port: 0, callback: () => {} });
process.stdout.write(`${appServer.address().port}\n`);
process.stdin.on("close", () => process.exit(0));
process.stdin.resume();
