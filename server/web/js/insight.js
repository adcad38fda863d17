// What can be chosen stays in sight.
import { $ } from "./dom.js";
import { isNarrow } from "./page.js";

/** A question that grows takes room from a phone's board: what can be chosen first stays in sight. */
export function keepInSight() {
	const reach = () => isNarrow() && $(".stage").querySelector(".can")?.scrollIntoView({ block: "nearest" });
	new ResizeObserver(reach).observe($("#stagehost"));
}
