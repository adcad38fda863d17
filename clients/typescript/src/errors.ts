// The errors that callers of the library meet; `Broken` of the record is in verify.ts.

export class HeraldError extends Error {
	constructor(why: string) {
		super(why);
		this.name = new.target.name;
	}
}

/** A message was not served; nothing has changed. `code` is one of docs/protocol.md, `rule` the id of a rule. */
export class Refused extends HeraldError {
	constructor(
		readonly code: string,
		readonly why: string,
		readonly rule = "",
		readonly id = "",
	) {
		super(`${code}: ${why}`);
	}
}

/** The connection is closed for good: by a close code, or by the code of an `error`; 0 and "" if this program closed it. */
export class Closed extends HeraldError {
	constructor(
		readonly code: number | string,
		readonly why: string,
	) {
		super(why);
	}
}

/** A link that leads to no match, or has an incomplete key. */
export class BadLink extends HeraldError {}
