// Events of the run as a list: those that repeat are one line with their count, which opens to all of them.
import type { Moment } from "./data";
import { element, short } from "./dom";
import type { Player } from "./player";

// Events with the same text; the energy that each of them lost may differ.
export function repeatedEvents(moments: Moment[]): Map<string, Moment[]> {
  const found = new Map<string, Moment[]>();
  for (const moment of moments) {
    const text = moment.text.replace(/: [-+.\de]+ J lost$/, "");
    found.set(text, [...(found.get(text) ?? []), moment]);
  }
  return found;
}

export function eventList(moments: Moment[], player: Player): HTMLElement {
  const row = ({ time, text }: Moment) =>
    element("button", { type: "button", click: () => player.setTime(time) }, element("span", { class: "when" }, `${short(time)} s`), text);
  const rows = [...repeatedEvents(moments)].map(([text, all]) =>
    all.length === 1
      ? element("li", {}, row(all[0]!))
      : element(
          "li",
          {},
          element(
            "details",
            {},
            element("summary", {}, element("span", { class: "when" }, `${short(all[0]!.time)} s`), text, element("span", { class: "count" }, `${all.length} times, last at ${short(all[all.length - 1]!.time)} s`)),
            ...all.map(row),
          ),
        ),
  );
  return element("ul", { class: "events" }, ...rows);
}
