/** News that has not been read yet, in its order. */
export class Told {
    #news = [];
    #readers = [];
    #end = null;
    tell(news) {
        const reader = this.#readers.shift();
        if (reader) {
            reader.resolve({ value: news, done: false });
        }
        else if (!this.#end) {
            this.#news.push(news);
        }
    }
    /** No more news follows; a reader is told the reason, unless the match ended normally. */
    end(why) {
        this.#end ??= { why };
        for (const reader of this.#readers.splice(0)) {
            this.#close(reader);
        }
    }
    #close({ resolve, reject }) {
        const why = this.#end?.why;
        if (why) {
            reject(why);
        }
        else {
            resolve({ value: undefined, done: true });
        }
    }
    next() {
        const news = this.#news.shift();
        if (news) {
            return Promise.resolve({ value: news, done: false });
        }
        const reader = withResolvers();
        if (this.#end) {
            this.#close(reader);
        }
        else {
            this.#readers.push(reader);
        }
        return reader.promise;
    }
    [Symbol.asyncIterator]() {
        return this;
    }
}
/** Promise.withResolvers, which Node.js 20 lacks. */
export function withResolvers() {
    let resolve = () => { };
    let reject = () => { };
    const promise = new Promise((yes, no) => {
        resolve = yes;
        reject = no;
    });
    return { promise, resolve, reject };
}
