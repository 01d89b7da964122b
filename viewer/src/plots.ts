// Selection of plotted quantities, and their plots: one for each group and unit.
import { type Angles, angleSwitch, isAngle } from "./angles";
import { Chart, ChartGroup, type ChartLook, seriesColours } from "./chart";
import type { Series } from "./data";
import { element } from "./dom";
import type { Player } from "./player";
import type { Themes } from "./theme";

export interface PlotsLook extends ChartLook {
  shows: (all: Series[]) => Series[]; // initial selection
  hint: string; // how to use a plot
}

function byGroup(all: Series[]): Map<string, Series[]> {
  const groups = new Map<string, Series[]>();
  for (const series of all) groups.set(series.group, [...(groups.get(series.group) ?? []), series]);
  return groups;
}

// "q. elbow" matches names with both; "q.*x" as on a command line.
function matcher(text: string): (series: Series) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const patterns = words.map((word) => new RegExp(word.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*")));
  return ({ name, group }) => patterns.every((pattern) => pattern.test(name.toLowerCase()) || pattern.test(group.toLowerCase()));
}

export class Plots {
  readonly root: HTMLElement;
  private readonly chosen = new Set<Series>();
  private readonly charts = element("div", { class: "charts" });
  private readonly list = element("div", { class: "quantities", role: "group", "aria-label": "Quantities to plot" });
  private readonly boxes = new Map<Series, { box: HTMLInputElement; row: HTMLElement; unit: HTMLElement }>();
  private readonly colours = new Map<Series, string>();
  private readonly sections: { section: HTMLElement; series: Series[] }[] = [];
  private readonly nothing = element("p", { class: "hint" }, "No recorded quantity has such a name.");
  private readonly group: ChartGroup;
  private drawn = new Map<string, Chart>();

  constructor(
    private readonly all: Series[],
    private readonly player: Player,
    private readonly themes: Themes,
    private readonly angles: Angles,
    look: PlotsLook,
  ) {
    this.group = new ChartGroup(player, look, angles);
    const filter = element("input", { type: "search", placeholder: "Find a quantity: name, group or q.*", "aria-label": "Find a quantity", spellcheck: "false" });
    filter.addEventListener("input", () => this.filter(filter.value));
    const chooser = element(
      "details",
      { class: "chooser" },
      element("summary", {}, `Choose from ${all.length} ${all.length === 1 ? "quantity" : "quantities"}`),
      filter,
      this.list,
      this.nothing,
    );
    this.nothing.hidden = true;
    this.root = element("div", { class: "plots" });
    if (all.length === 0) {
      this.root.append(element("p", { class: "hint" }, "No quantity was recorded."));
      return;
    }
    const hasAngles = all.some(({ unit }) => isAngle(unit));
    this.root.append(element("div", { class: "choices" }, chooser, ...(hasAngles ? [angleSwitch(angles)] : [])), this.charts, element("p", { class: "hint" }, look.hint));
    this.fillList();
    angles.follow(() => {
      this.markUnits();
      this.draw((chart) => chart.series.some(({ unit }) => isAngle(unit)));
    });
    for (const series of look.shows(all)) this.chosen.add(series);
    this.draw();
  }

  get shownNames(): string[] {
    return [...this.drawn.values()].flatMap((chart) => chart.names);
  }
  get dashedNames(): string[] {
    return [...this.drawn.values()].flatMap((chart) => chart.dashed);
  }
  get shownTimes(): number[] {
    return [...this.drawn.values()].map((chart) => chart.shownTime);
  }
  shownRanges(axis: "x" | "y"): [number, number][] {
    return [...this.drawn.values()].map((chart) => chart.shownRange(axis));
  }
  choose(names: string[]): void {
    this.chosen.clear();
    for (const series of this.all) if (names.includes(series.name)) this.chosen.add(series);
    this.draw();
  }
  update(): void {
    for (const chart of this.drawn.values()) chart.update();
  }
  redraw(): void {
    for (const chart of this.drawn.values()) chart.redraw();
  }

  private fillList(): void {
    for (const [name, series] of byGroup(this.all)) {
      const setAll = (on: boolean) => {
        for (const one of series) {
          if (this.boxes.get(one)!.row.hidden) continue; // only series that match the filter
          if (on) this.chosen.add(one);
          else this.chosen.delete(one);
        }
        this.draw();
      };
      const rows = series.map((one) => {
        const box = element("input", { type: "checkbox" });
        box.addEventListener("change", () => {
          if (box.checked) this.chosen.add(one);
          else this.chosen.delete(one);
          this.draw();
        });
        const unit = element("span", { class: "unit" });
        const row = element("label", { title: one.name }, box, element("span", {}, one.name), unit);
        this.boxes.set(one, { box, row, unit });
        return row;
      });
      const section = element(
        "section",
        {},
        element(
          "h4",
          {},
          name,
          element("button", { type: "button", "aria-label": `Plot all ${name}`, click: () => setAll(true) }, "all"),
          element("button", { type: "button", "aria-label": `Plot no ${name}`, click: () => setAll(false) }, "none"),
        ),
        ...rows,
      );
      this.sections.push({ section, series });
      this.list.append(section);
    }
    this.markUnits();
  }
  private markUnits(): void {
    for (const [{ unit: recorded }, { unit }] of this.boxes) unit.textContent = recorded === "1" ? "" : this.angles.shown(recorded).unit;
  }

  private filter(text: string): void {
    const matches = matcher(text);
    let found = 0;
    for (const { section, series } of this.sections) {
      let inSection = 0;
      for (const one of series) {
        const isShown = matches(one);
        this.boxes.get(one)!.row.hidden = !isShown;
        if (isShown) ++inSection;
      }
      section.hidden = inSection === 0;
      found += inSection;
    }
    this.nothing.hidden = found > 0;
  }

  // Series keep their color while others are added and removed; a new one takes a color that its plot does not have.
  private giveColours(series: Series[]): string[] {
    for (const one of series) {
      const own = this.colours.get(one);
      if (own && series.find((other) => this.colours.get(other) === own) === one) continue;
      const taken = series.map((other) => this.colours.get(other));
      this.colours.set(one, seriesColours.find((colour) => !taken.includes(colour)) ?? seriesColours[series.indexOf(one) % seriesColours.length]!);
    }
    return series.map((one) => this.colours.get(one)!);
  }

  // Plots are rebuilt if they have changed, or `isOutdated`.
  private draw(isOutdated: (chart: Chart) => boolean = () => false): void {
    for (const [series, { box }] of this.boxes) box.checked = this.chosen.has(series);
    const wanted = new Map<string, Series[]>();
    for (const series of this.all) {
      if (!this.chosen.has(series)) continue;
      const key = JSON.stringify([series.group, series.unit]);
      wanted.set(key, [...(wanted.get(key) ?? []), series]);
    }
    const next = new Map<string, Chart>();
    for (const [key, series] of wanted) {
      const old = this.drawn.get(key);
      const isSame = old !== undefined && !isOutdated(old) && old.series.length === series.length && old.series.every((one, k) => one === series[k]);
      next.set(key, isSame ? old : this.makeChart(series));
    }
    for (const [key, chart] of this.drawn)
      if (next.get(key) !== chart) {
        this.group.charts.delete(chart);
        chart.destroy();
      }
    this.drawn = next;
    this.charts.replaceChildren(...[...next.values()].map((chart) => chart.root));
    if (next.size === 0) this.charts.append(element("p", { class: "hint" }, "Choose a quantity to see it over time."));
  }

  private makeChart(series: Series[]): Chart {
    const colours = this.giveColours(series);
    const remove = (one: Series) => {
      this.chosen.delete(one);
      this.draw();
    };
    const chart = new Chart(series, colours, this.player, this.themes, this.group, remove);
    this.group.add(chart);
    return chart;
  }
}
