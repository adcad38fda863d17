// A game as small as Herald's example: nine moves by turns, a card out of a hand that nobody else sees, and a die.
import { createRequire } from "node:module";

const { PlayerView } = createRequire(import.meta.url)("boardgame.io/core");

export const NAME = "example";
export const MOVES = 9;
const SEATS = ["0", "1"];
const HAND = 3;
const DECK = [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6];

function setup({ random }) {
	const deck = random.Shuffle(DECK);
	const players = Object.fromEntries(SEATS.map(seat => [seat, { hand: deck.splice(0, HAND) }]));
	return { secret: { deck }, players, scores: [0, 0], moves: 0 };
}

function play({ G, playerID, random }, at) {
	const own = G.players[playerID];
	const [card] = own.hand.splice(at, 1);
	G.scores[Number(playerID)] += card + random.D6();
	G.moves += 1;
	own.hand.push(G.secret.deck.length ? G.secret.deck.pop() : card);
}

export const game = {
	name: NAME,
	minPlayers: SEATS.length,
	maxPlayers: SEATS.length,
	setup,
	moves: { play: { move: play, client: false } },
	turn: { minMoves: 1, maxMoves: 1 },
	playerView: PlayerView.STRIP_SECRETS,
	endIf: ({ G }) => (G.moves === MOVES ? { winner: G.scores[0] > G.scores[1] ? "0" : "1" } : undefined),
};
