// The errors that callers of the library meet; `Broken` of the record is in verify.ts.
export class HeraldError extends Error {
    constructor(why) {
        super(why);
        this.name = new.target.name;
    }
}
/** A message was not served; nothing has changed. `code` is one of docs/protocol.md, `rule` the id of a rule. */
export class Refused extends HeraldError {
    code;
    why;
    rule;
    id;
    constructor(code, why, rule = "", id = "") {
        super(`${code}: ${why}`);
        this.code = code;
        this.why = why;
        this.rule = rule;
        this.id = id;
    }
}
/** The connection is closed for good: by a close code, or by the code of an `error`; 0 and "" if this program closed it. */
export class Closed extends HeraldError {
    code;
    why;
    constructor(code, why) {
        super(why);
        this.code = code;
        this.why = why;
    }
}
/** A link that leads to no match, or has an incomplete key. */
export class BadLink extends HeraldError {
}
