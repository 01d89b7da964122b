// Unit of angles on the page: plots and readings show degrees or radians; the data are in radians.
import { element } from "./dom";

export type AngleUnit = "deg" | "rad";

export class Angles {
  unit: AngleUnit = "deg";
  private followers: (() => void)[] = [];

  // A recorded unit as it is shown, and the factor from recorded to shown values: "rad/s" as "deg/s".
  shown(unit: string): { unit: string; factor: number } {
    if (this.unit === "rad" || !isAngle(unit)) return { unit, factor: 1 };
    return { unit: unit.replace(/^rad/, "deg"), factor: 180 / Math.PI };
  }
  choose(unit: AngleUnit): void {
    if (unit === this.unit) return;
    this.unit = unit;
    for (const follower of this.followers) follower();
  }
  follow(follower: () => void): void {
    this.followers.push(follower);
  }
}

export function isAngle(unit: string): boolean {
  return /^rad($|[ /^])/.test(unit);
}

// Two buttons of which one is pressed.
export function angleSwitch(angles: Angles): HTMLElement {
  const names: [AngleUnit, string][] = [
    ["deg", "Angles in degrees"],
    ["rad", "Angles in radians, as recorded"],
  ];
  const buttons = names.map(([unit, title]) => element("button", { type: "button", title, click: () => angles.choose(unit) }, unit));
  const mark = () => buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(names[k]![0] === angles.unit)));
  angles.follow(mark);
  mark();
  return element("div", { class: "angles", role: "group", "aria-label": "Unit of angles" }, ...buttons);
}
