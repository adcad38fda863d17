type Fields = Record<string, [Type, unknown?]>;
/** A type as the table writes it: a name, or a list that begins with one. */
type Type = string | [string, ...any[]];
type Struct = {
    fields: Fields;
    tag?: [string, string];
};
type Kind = {
    fields: Fields;
    slots?: [string, Type][];
};
/** The lines of a game and the structs in them; `rules`: the version of its rules. */
export type Table = {
    rules: number;
    lines: Record<string, Kind>;
    structs: Record<string, Struct>;
};
type Data = Record<string, any>;
/** The number of a version of rules, as in `vera_discordia/2`; -1 for another text. */
export declare const rulesNumber: (rules: string) => number;
/** Checks lines against the tables of the kernel and of one game; without a game, games' lines are not checked. */
export declare class Shapes {
    lines: Record<string, Kind>;
    structs: Record<string, Struct>;
    game: Table | undefined;
    constructor(game?: Table);
    /** Whether a line is common to all games. */
    isKernels(type: string): boolean;
    /** Why a line lacks its shape; nothing if it has it, or if the kind is unknown. */
    fault(type: string, payload: Data, masks: number[], seats: number): string;
    /** Why an opened value does not fit its slot; nothing if it does, or if it is null. */
    openedFault(type: string, slot: number, value: unknown): string;
    fieldsFault(fields: Fields, held: Data, tag: string[]): string;
    fits(kind: Type, value: any): boolean;
    fitsStruct({ fields, tag }: Struct, value: any): boolean;
}
export {};
