// The notation of chances, and whether an analysis is complete.

import { language } from "./strings.js";

/** A number with one decimal, written as the language writes it. @param {number} n */
export const decimal = n => n.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** @param {number} share */
export const percent = share => `${Math.round(100 * share)} %`;

/** A change in chances with its sign. @param {number} change */
export const signed = change => `${change < 0 ? "−" : "+"}${Math.abs(Math.round(100 * change))}`;

/** Whether the analysis is complete. @param {Wire.Judged | undefined} m */
export const isDone = m => Boolean(m && m.of > 0 && m.done === m.of);
