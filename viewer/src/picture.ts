// The picture with all that may be shown in it: axes, forces, paths, names, floor; switches in its upper corners, keys
// (legends) in the lower left one.
import type { Report } from "./data";
import { Forces, forceLegend } from "./arrows";
import { element, short, switchButton, withPrefix } from "./dom";
import { bodyColour } from "./figure";
import { type Label, LabelLayer } from "./labels";
import type { Mechanism } from "./mechanism";
import { Axes, Links } from "./overlays";
import type { Player } from "./player";
import { Stage } from "./stage";
import { Terrains } from "./terrain";
import { Paths, Traces } from "./traces";

export class Picture {
  readonly root = element("div", { class: "picture" });
  readonly stage: Stage;
  readonly traces: Traces;
  readonly terrains: Terrains;
  readonly follow: HTMLButtonElement;
  private readonly axes: Axes;
  private readonly forces: Forces;
  private readonly links: Links;
  private readonly paths: Paths;
  private readonly labels = new LabelLayer();
  private readonly keys = element("div", { class: "keys" });
  private readonly switches = element("div", { class: "tools left", role: "group", "aria-label": "What is shown" });
  private namesAreShown = false;

  constructor(private readonly report: Report, private readonly mechanism: Mechanism, player: Player) {
    this.stage = new Stage(mechanism, this.root, report);
    this.terrains = new Terrains(report, mechanism);
    if (this.terrains.any) this.stage.showFloor(false);
    this.axes = new Axes(report, mechanism);
    this.forces = new Forces(report, player, 0.3 * this.stage.near);
    this.links = new Links(report, mechanism);
    this.traces = new Traces(report, player, bodyColour);
    this.paths = new Paths(report);
    this.stage.scene.add(this.forces.root, this.links.root, this.traces.root, this.paths.root);
    this.axes.show(false);
    this.forces.root.visible = false;
    this.traces.showFrames();
    this.stage.onFrame = () => this.label();

    this.follow = switchButton("Follow", "The camera goes along with it, or with the selected body", this.stage.isFollowing, (on) => (this.stage.isFollowing = on));
    this.follow.hidden = !player.canMove;
    this.addSwitches();
    const views = element(
      "div",
      { class: "tools right", role: "group", "aria-label": "Camera" },
      this.follow,
      ...(["fit", "front", "side", "top"] as const).map((view) =>
        element("button", { type: "button", title: view === "fit" ? "All in the picture (F)" : `Seen from the ${view}`, click: () => this.stage.look(view) }, view[0]!.toUpperCase() + view.slice(1)),
      ),
    );
    const scale = element("p", { class: "key" }, `grid ${short(this.stage.cell)} m`);
    scale.hidden = this.terrains.any; // the grid of a terrain has other lines
    this.keys.append(...this.paths.keys, scale);
    if (this.stage.hasPicture) this.root.append(this.labels.root, this.switches, views, this.keys);
    if (report.times.length === 0) this.root.append(element("p", { class: "notice" }, "Nothing was recorded: there is no motion to show."));
    this.links.update();
  }

  private addSwitches(): void {
    const { axes, forces, traces, terrains, stage, switches, report } = this;
    if (report.axes.length > 0) switches.append(switchButton("Axes", "Axes of the joints", false, (on) => (axes.show(on), stage.invalidate())));
    if (forces.largest > 0) {
      const size = element("input", { type: "range", min: "-1", max: "1", step: "any", value: "0", class: "force-size", "aria-label": "Length of the force arrows" });
      const key = forceLegend(forces);
      size.hidden = key.hidden = true;
      size.addEventListener("input", () => {
        forces.setSize(10 ** Number(size.value));
        stage.invalidate();
      });
      const title = `Forces as arrows; the largest of the run is ${withPrefix(forces.largest, "N")}`;
      const show = (on: boolean) => {
        forces.root.visible = on;
        size.hidden = key.hidden = !on;
        forces.update();
        stage.invalidate();
      };
      switches.append(switchButton("Forces", title, false, show), size);
      this.keys.append(key);
    }
    if (traces.points.length > 0) {
      const button = switchButton("Paths", "Paths of the named frames, or of the points chosen in Bodies", traces.isAnyShown, (on) => traces.showAny(on));
      traces.onChange = () => {
        button.setAttribute("aria-pressed", String(traces.isAnyShown));
        stage.invalidate();
      };
      switches.append(button);
    }
    switches.append(
      switchButton("Names", "Names of the bodies", false, (on) => ((this.namesAreShown = on), stage.invalidate())),
      switchButton("Floor", `Grid of ${short(stage.cell)} m, and shadows`, true, (on) => {
        terrains.show(on);
        stage.showFloor(on && !terrains.any);
      }),
    );
  }

  update(): void {
    this.links.update();
    this.forces.update();
    this.traces.update();
    this.stage.invalidate();
  }

  // Names and numbers at their present places, clear of the switches and keys.
  private label(): void {
    const box = this.root.getBoundingClientRect();
    const wanted: Label[] = [];
    for (const { name, text, tip } of this.forces.numbers) {
      const { x, y, isSeen } = this.stage.onPage(tip);
      if (isSeen) wanted.push({ key: `force ${name}`, text, kind: "force", x: x - box.left, y: y - box.top });
    }
    if (this.namesAreShown)
      this.report.bodies.forEach(({ name }, index) => {
        if (index === 0) return;
        const { x, y, isSeen } = this.stage.onPage(this.mechanism.middle(index));
        if (isSeen) wanted.push({ key: `name ${index}`, text: name, kind: "name", x: x - box.left, y: y - box.top });
      });
    const taken = wanted.length === 0 ? [] : [...this.root.querySelectorAll(".tools, .key:not([hidden])")].map((part) => {
      const { left, top, width, height } = part.getBoundingClientRect();
      return { left: left - box.left, top: top - box.top, width, height };
    });
    this.labels.draw(wanted, { width: box.width, height: box.height }, taken);
  }
}
