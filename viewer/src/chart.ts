// One plot over time: series of one group and one unit, with a line at the current time.
import uPlot from "uplot";
import type { Angles } from "./angles";
import type { Series } from "./data";
import { element, short } from "./dom";
import type { Player } from "./player";
import type { Themes } from "./theme";

const rounding = 1e-12; // relative to 1
// legible on white and on near black
export const seriesColours = ["#3b82d6", "#e07a2f", "#2fa36b", "#c2528b", "#8a63d2", "#c79a1e", "#1f9fb0", "#d4504c"];

// Values in the unit of the plot. A value that is not finite leaves a gap.
function drawable(values: Float64Array, factor: number): Float64Array | (number | null)[] {
  if (!values.every(Number.isFinite)) return Array.from(values, (value) => (Number.isFinite(value) ? factor * value : null));
  return factor === 1 ? values : values.map((value) => factor * value);
}

// Lines that lie on an earlier one, as the total energy on the kinetic where nothing else stores any: they are dashed, so
// that both are seen.
function hiding(series: Series[]): boolean[] {
  const range = Math.max(...series.map(({ values }) => spread(values)));
  const isSame = (a: Float64Array, b: Float64Array) => a.every((value, k) => Object.is(value, b[k]) || Math.abs(value - b[k]!) <= 0.004 * range);
  return series.map(({ values }, k) => series.slice(0, k).some((other) => isSame(other.values, values)));
}
function spread(values: Float64Array): number {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return low <= high ? high - low : 0;
}

export interface ChartLook {
  height: number; // [px]
  namesTime: boolean; // below the axis: for a page without its own clock
}

// The plots that share a zoom, a pointer and a style.
export class ChartGroup {
  readonly charts = new Set<Chart>();
  private range: [number, number] | null = null; // null: the whole range

  constructor(private readonly player: Player, readonly look: ChartLook, readonly angles: Angles) {}

  zoom(range: [number, number] | null): void {
    this.range = range;
    for (const chart of this.charts) chart.setRange(...(range ?? [this.player.first, this.player.end]));
  }
  add(chart: Chart): void {
    this.charts.add(chart);
    if (this.range) chart.setRange(...this.range);
  }
}

export class Chart {
  readonly root: HTMLElement;
  readonly names: string[];
  readonly dashed: string[]; // of these
  private readonly plot: uPlot;
  private readonly head = element("span", { class: "playhead", "aria-hidden": "true" });
  private readonly readings: HTMLElement[];
  private readonly readTime = element("output", { class: "when" });
  private readonly factor: number; // from recorded to shown values
  private hovered: number | null = null;

  constructor(
    readonly series: Series[],
    colours: string[],
    private readonly player: Player,
    themes: Themes,
    private readonly group: ChartGroup,
    remove: (series: Series) => void,
  ) {
    const { group: kind, unit: recorded, natural } = series[0]!;
    const { unit, factor } = group.angles.shown(recorded);
    this.factor = factor;
    const { height, namesTime } = group.look;
    const isDashed = hiding(series);
    this.names = series.map(({ name }) => name);
    this.dashed = this.names.filter((_, k) => isDashed[k]);
    this.readings = series.map(() => element("output", {}, ""));
    const legend = element(
      "ul",
      { class: "legend" },
      ...series.map((one, k) =>
        element(
          "li",
          {},
          element("span", { class: "swatch", style: `background:${colours[k]}` }),
          element("span", { class: "name" }, one.name),
          this.readings[k]!,
          element("button", { type: "button", class: "remove", "aria-label": `Remove ${one.name} from the plot`, title: "Remove", click: () => remove(one) }, "×"),
        ),
      ),
    );
    const canvas = element("div", { class: "canvas" });
    const title = element("h3", {}, kind, element("span", { class: "unit" }, unit === "" || unit === "1" ? "" : unit), this.readTime);
    this.root = element("section", { class: "chart", "aria-label": `Plot of ${kind}${unit ? ` in ${unit}` : ""}` }, title, legend, canvas);

    const isSingle = player.times.length < 2;
    const axis = (): uPlot.Axis => ({
      stroke: () => themes.colour("--quiet"),
      grid: { stroke: () => themes.colour("--line"), width: 1 },
      ticks: { stroke: () => themes.colour("--line"), width: 1, size: 4 },
      font: "11px system-ui, sans-serif",
      values: (_, splits) => tickTexts(splits),
    });
    this.plot = new uPlot(
      {
        width: 300,
        height,
        legend: { show: false },
        pxAlign: 0,
        padding: [8, 14, 0, 0],
        cursor: {
          y: false,
          sync: { key: "trammel", setSeries: false, filters: { pub: (type) => type === "mousemove" || type === "mouseleave", sub: () => true } },
          drag: { x: true, y: false, setScale: false },
          bind: { dblclick: () => () => (group.zoom(null), null) },
          points: { size: 7 },
        },
        scales: { x: { time: false, ...(isSingle ? { range: [player.first - 0.5, player.first + 0.5] } : {}) }, y: { range: (_, low, high) => yRange(low, high, factor * natural) } },
        axes: [
          { ...axis(), size: 30, space: 60, ...(namesTime ? { label: "time [s]", labelSize: 18, labelFont: "11px system-ui, sans-serif" } : {}) },
          { ...axis(), size: 58, space: 32 },
        ],
        series: [{}, ...series.map((one, k) => ({ label: one.name, stroke: colours[k]!, width: 1.75, ...(isDashed[k] ? { dash: [7, 7] } : {}), points: isSingle ? { show: true, size: 8 } : {} }))],
        hooks: {
          setSelect: [
            (plot) => {
              const { left, width } = plot.select;
              if (width > 3) group.zoom([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")]);
              plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
          setCursor: [(plot) => this.hover(plot.cursor.left != null && plot.cursor.left >= 0 ? (plot.cursor.idx ?? null) : null)],
          draw: [() => this.putHead()],
        },
      },
      [player.times, ...series.map(({ values }) => drawable(values, factor))] as uPlot.AlignedData,
      canvas,
    );
    this.plot.over.append(this.head);
    this.seekByPointer();
    new ResizeObserver(() => this.resize(canvas.clientWidth)).observe(canvas);
    this.update();
  }

  // A click shows that time; a drag zooms; a drag of the time line scrubs.
  private seekByPointer(): void {
    const over = this.plot.over;
    const timeAt = (event: MouseEvent) => this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
    let pressedAt = 0;
    over.addEventListener("mousedown", (event) => (pressedAt = event.clientX));
    over.addEventListener("mouseup", (event) => {
      if (Math.abs(event.clientX - pressedAt) < 4) this.player.setTime(timeAt(event));
    });
    this.head.addEventListener("mousedown", (event) => event.stopPropagation()); // no zoom
    this.head.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.head.setPointerCapture(event.pointerId);
      this.player.pause();
    });
    this.head.addEventListener("pointermove", (event) => {
      if (this.head.hasPointerCapture(event.pointerId)) this.player.setTime(timeAt(event));
    });
  }

  get shownTime(): number {
    return this.plot.posToVal(parseFloat(this.head.dataset["x"] ?? "0"), "x");
  }

  shownRange(axis: "x" | "y"): [number, number] {
    const { min, max } = this.plot.scales[axis]!;
    return [min ?? 0, max ?? 0];
  }

  setRange(min: number, max: number): void {
    if (max > min) this.plot.setScale("x", { min, max });
  }
  redraw(): void {
    this.plot.redraw(false);
  }
  destroy(): void {
    this.plot.destroy();
    this.root.remove();
  }
  private resize(width: number): void {
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: this.group.look.height });
  }

  private hover(index: number | null): void {
    this.hovered = index;
    this.read();
  }
  // Values under the pointer, or else at the current time.
  private read(): void {
    const { index, fraction } = this.hovered === null ? this.player.sample() : { index: this.hovered, fraction: 0 };
    const time = this.hovered === null ? this.player.time : this.player.times[index];
    const when = time === undefined || this.player.times.length === 0 ? "" : `t = ${short(time)} s`;
    if (this.readTime.textContent !== when) this.readTime.textContent = when;
    this.series.forEach(({ values }, k) => {
      const value = values[index];
      const next = fraction > 0 ? values[index + 1] : undefined;
      const text = value === undefined ? "" : short(this.shown(next === undefined ? value : value + fraction * (next - value)));
      if (this.readings[k]!.textContent !== text) this.readings[k]!.textContent = text;
    });
  }
  // In the unit of the plot. A value that is only rounding relative to the magnitude of its series is 0, as in the plot.
  private shown(value: number): number {
    return Math.abs(value) <= rounding * this.series[0]!.natural ? 0 : this.factor * value;
  }
  private putHead(): void {
    if (!this.plot) return; // under construction
    const x = this.plot.valToPos(this.player.time, "x");
    const isInside = this.player.times.length > 0 && x >= -0.5 && x <= this.plot.over.clientWidth + 0.5;
    this.head.hidden = !isInside;
    this.head.dataset["x"] = String(x);
    this.head.style.transform = `translateX(${x}px)`;
  }
  update(): void {
    this.putHead();
    if (this.hovered === null) this.read();
  }
}

// A margin above and below; a constant, up to rounding, lies in the middle.
function yRange(low: number | null, high: number | null, natural: number): [number, number] {
  if (low == null || high == null) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high), natural);
  if (high - low <= rounding * size) return [low - (0.5 * size || 1), high + (0.5 * size || 1)];
  return [low - 0.06 * (high - low), high + 0.06 * (high - low)];
}

// Round numbers with only the digits that their distance needs.
function tickTexts(splits: number[]): string[] {
  const step = splits.length > 1 ? Math.abs(splits[1]! - splits[0]!) : Math.abs(splits[0] ?? 1) || 1;
  const largest = Math.max(...splits.map(Math.abs));
  const power = (size: number) => Math.floor(Math.log10(size) + 1e-9);
  const leading = step / 10 ** power(step);
  const extra = Math.abs(leading - Math.round(leading)) > 1e-6 ? 1 : 0; // steps of 2.5 need one digit more
  if (largest >= 1e5 || (largest > 0 && largest < 1e-3)) {
    const digits = (value: number) => Math.min(Math.max(power(Math.abs(value)) - power(step) + extra, 0), 8);
    return splits.map((value) => (Math.abs(value) < 1e-6 * step ? "0" : value.toExponential(digits(value)).replace("e+", "e")));
  }
  const decimals = Math.min(Math.max(extra - power(step), 0), 9);
  return splits.map((value) => value.toFixed(decimals));
}
