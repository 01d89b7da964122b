// The information panels: the bodies with their properties, and the model with its audit.
import type { Fact, Report } from "./data";
import { element, short } from "./dom";
import { eventList } from "./events";
import { bodyColour } from "./figure";
import type { Mechanism } from "./mechanism";
import type { Player } from "./player";
import type { TracedPoint, Traces } from "./traces";

function factTable(facts: Fact[]): HTMLElement {
  return element("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

export class BodiesPanel {
  readonly root: HTMLElement;
  private readonly rows: HTMLElement[];
  private readonly details = element("section", { class: "details", "aria-live": "polite", "aria-label": "Facts of the selected body" });
  private readonly now = element("output", {});
  private readonly boxes = new Map<TracedPoint, HTMLInputElement>();

  constructor(
    private readonly report: Report,
    private readonly mechanism: Mechanism,
    private readonly traces: Traces,
    select: (index: number | null) => void,
  ) {
    this.rows = report.bodies.map((body, index) => {
      const row = element(
        "li",
        {},
        element(
          "button",
          { type: "button", class: "body", "aria-pressed": "false", click: () => select(mechanism.selected === index ? null : index) },
          element("span", { class: "swatch", style: `background:${bodyColour(index)}` }),
          body.name,
        ),
      );
      for (const point of traces.points.filter((one) => one.body === index))
        row.append(
          point.isFrame
            ? this.traceBox(point, `trace ${point.label}`, `Show the path of ${point.label}`)
            : this.traceBox(point, "trace", "Show the path of the center of mass"),
        );
      return row;
    });
    this.root = element("div", { class: "bodies" }, element("ul", { class: "list" }, ...this.rows), this.details);
    this.mark();
    this.show(null);
  }

  private traceBox(point: TracedPoint, text: string, title: string): HTMLElement {
    const box = element("input", { type: "checkbox", "aria-label": `${title}: ${point.label}` });
    box.addEventListener("change", () => this.traces.choose(point, box.checked));
    this.boxes.set(point, box);
    return element("label", { class: "trace", title }, box, text);
  }

  // Which paths are shown.
  mark(): void {
    for (const [point, box] of this.boxes) box.checked = this.traces.isShown(point);
  }
  show(index: number | null): void {
    this.rows.forEach((row, k) => {
      row.classList.toggle("selected", k === index);
      row.firstElementChild!.setAttribute("aria-pressed", String(k === index));
    });
    if (index === null) {
      this.details.replaceChildren(element("p", { class: "hint" }, "Click a body, here or in the picture, to see what is known of it."));
      return;
    }
    const body = this.report.bodies[index]!;
    const facts = factTable(body.facts);
    facts.append(element("dt", {}, "origin now"), element("dd", {}, this.now));
    this.details.replaceChildren(element("h3", {}, body.name), facts);
    this.rows[index]!.scrollIntoView({ block: "nearest" });
    this.update();
  }

  update(): void {
    const { selected } = this.mechanism;
    if (selected === null || this.root.offsetParent === null) return;
    this.now.textContent = `${this.mechanism.position(selected).toArray().map((x) => short(Number(x.toFixed(6)))).join(", ")} m`;
  }
}

export function modelPanel(report: Report, player: Player): HTMLElement {
  const audit = report.audit.map(({ name, value, good }) =>
    element(
      "li",
      { class: good ? "good" : "bad" },
      element("span", { class: "sign", "aria-label": good ? "good" : "needs a look" }, good ? "✓" : "!"),
      element("span", {}, name),
      element("span", { class: "value" }, value),
    ),
  );
  const panel = element("div", { class: "model" });
  if (audit.length > 0) panel.append(element("section", {}, element("h3", {}, "Audit"), element("ul", { class: "audit" }, ...audit)));
  if (report.facts.length > 0) panel.append(element("section", {}, element("h3", {}, "Model and run"), factTable(report.facts)));
  if (report.moments.length > 0) panel.append(element("section", {}, element("h3", {}, "Events"), eventList(report.moments, player)));
  panel.append(
    element(
      "section",
      {},
      element("h3", {}, "Keys"),
      factTable([
        ["space", "play, pause"],
        ["← →", "one sample back, on; with shift, a twentieth of the run"],
        ["home, end", "to the first, the last sample"],
        ["− +", "slower, faster"],
        ["L", "loop"],
        ["F", "fit the picture"],
        ["esc", "select nothing"],
      ]),
    ),
  );
  return panel;
}

// One line for the head of the page: the verdict of the audit.
export function auditBadge(report: Report, open: () => void): HTMLElement | null {
  if (report.audit.length === 0) return null;
  const bad = report.audit.filter(({ good }) => !good);
  const names = bad.map(({ name, value }) => `${name} ${value}`).join("; ");
  const short = bad.map(({ name }) => name).join(", ");
  const text = bad.length === 0 ? "audit: all good" : short.length <= 40 ? `audit: ${short}` : `audit: ${bad.length} of ${report.audit.length} need a look`;
  const title = bad.length === 0 ? "Energy, constraints, limits and wheels over the run" : names;
  return element("button", { type: "button", class: `badge ${bad.length === 0 ? "good" : "warn"}`, title, click: open }, text);
}
