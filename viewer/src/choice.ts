// The plots that a report begins with: what moves and is driven, large efforts, errors, energy.
import type { Series } from "./data";

const mostPlots = 5;
const mostLines = 6; // of one plot

interface Extent {
  range: number; // largest minus smallest value
  largest: number; // magnitude
}
function extent({ values }: Series): Extent {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values)
    if (Number.isFinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  return low > high ? { range: 0, largest: 0 } : { range: high - low, largest: Math.max(Math.abs(low), Math.abs(high)) };
}

// How a group of quantities is chosen from: by range (what moves) or by magnitude (what is large).
interface Rule {
  group: RegExp;
  by: keyof Extent;
  isWanted?: (series: Series, driven: (series: Series) => boolean) => boolean;
}
const rules: Rule[] = [
  { group: /^(positions|shape)$/, by: "range" },
  { group: /^loops$/, by: "range", isWanted: (series, driven) => series.name.startsWith("loop.q.") && driven(series) },
  { group: /^(efforts|loop_tau)$/, by: "largest" },
  { group: /^error$/, by: "largest", isWanted: ({ name }) => !/^error\.[qv]\./.test(name) },
  { group: /energy/i, by: "range" },
  { group: /^frames$/, by: "range" },
  { group: /^velocities$/, by: "range" },
  { group: /./, by: "range" },
];

// One series per name of a joint: "q.elbow", "q.wrist.x", "tau.cylinder".
function drivenBy(joints: string[]): (series: Series) => boolean {
  return ({ name }) => joints.some((joint) => new RegExp(`^(loop\\.)?[a-z_]+\\.${joint.replace(/[.+*?^${}()|[\]\\]/g, "\\$&")}([.[]|$)`).test(name));
}

export function firstPlots(all: Series[], driven: string[]): Series[] {
  const isDriven = drivenBy(driven);
  const left = new Set(all.filter(({ isQuaternion }) => !isQuaternion));
  const chosen: Series[] = [];
  let plots = 0;
  for (const { group, by, isWanted } of rules) {
    const members = [...left].filter((series) => group.test(series.group));
    for (const one of members) left.delete(one);
    const wanted = isWanted ? members.filter((series) => isWanted(series, isDriven)) : members;
    for (const key of new Set(wanted.map(({ group: of, unit }) => `${of}\n${unit}`))) {
      if (plots === mostPlots || (group.source === "." && plots > 1)) break;
      const lines = mostTelling(wanted.filter(({ group: of, unit }) => `${of}\n${unit}` === key), by, isDriven);
      chosen.push(...lines);
      if (lines.length > 0) ++plots;
    }
  }
  return chosen.length > 0 ? chosen : all.slice(0, mostLines); // nothing moves
}

// Of one plot: lines that are not constant (or not zero), those of driven joints first, then the largest.
function mostTelling(lines: Series[], by: keyof Extent, isDriven: (series: Series) => boolean): Series[] {
  const extents = new Map(lines.map((series) => [series, extent(series)]));
  const size = (series: Series) => extents.get(series)![by];
  const largest = Math.max(...lines.map(size));
  const isLarge = (series: Series) => size(series) > Math.max(1e-4 * largest, 1e-9 * series.natural) || (/\.(kinetic|total)$/.test(series.name) && largest > 0);
  const rank = (series: Series) => (isDriven(series) ? 1 : 0);
  return lines
    .filter(isLarge)
    .sort((a, b) => rank(b) - rank(a) || size(b) - size(a))
    .slice(0, mostLines);
}
