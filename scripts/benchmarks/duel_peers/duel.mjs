// The rules of scripts/benchmarks/duel.py, for the peers.
const DECK = [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6];
const HAND = 3;
export const MOVES = 2000;

/** A new match; `shuffle` orders the deck. */
export function dealt(shuffle) {
	const deck = shuffle(DECK);
	const hands = [deck.splice(0, HAND), deck.splice(0, HAND)];
	return { deck, hands, scores: [0, 0], moves: 0 };
}

/** The player whose turn it is plays the first card; what everybody sees of it. */
export function played(state, seat, die) {
	const card = state.hands[seat].shift();
	state.scores[seat] += card + die;
	state.moves += 1;
	state.hands[seat].push(state.deck.length ? state.deck.shift() : card);
	return { seat, card, die, scores: [...state.scores], moves: state.moves };
}
