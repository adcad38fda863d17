/** A line's text and openings as data; the text is not checked. */
export function lineOf(text, openings) {
    const [, , seq, at, type, rules, actor, cause, fields] = JSON.parse(text);
    const secrets = Object.fromEntries(openings.map(([slot, value]) => [slot, JSON.parse(value)]));
    return { seq, at, type, rules, actor, cause, fields, secrets, text };
}
/** The result, if the line states it. */
export function resultOf({ type, fields }) {
    if (type !== "MatchEnded") {
        return null;
    }
    const { winner = null, reason = "", rule = "", winners = winner === null ? [] : [winner] } = fields.result;
    return { winner, reason, rule, won: winners };
}
