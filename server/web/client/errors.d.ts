export declare class HeraldError extends Error {
    constructor(why: string);
}
/** A message was not served; nothing has changed. `code` is one of docs/protocol.md, `rule` the id of a rule. */
export declare class Refused extends HeraldError {
    readonly code: string;
    readonly why: string;
    readonly rule: string;
    readonly id: string;
    constructor(code: string, why: string, rule?: string, id?: string);
}
/** The connection is closed for good: by a close code, or by the code of an `error`; 0 and "" if this program closed it. */
export declare class Closed extends HeraldError {
    readonly code: number | string;
    readonly why: string;
    constructor(code: number | string, why: string);
}
/** A link that leads to no match, or has an incomplete key. */
export declare class BadLink extends HeraldError {
}
