// A report: reads its data from the page, builds all parts, and connects them to one clock.
import "uplot/dist/uPlot.min.css";
import "./page.css";
import "./plots.css";
import "./style.css";
import { readReport } from "./data";
import { element, short, switchButton } from "./dom";
import { bodyColour } from "./figure";
import { Mechanism } from "./mechanism";
import { Axes, Forces, Links, Traces } from "./overlays";
import { auditBadge, BodiesPanel, modelPanel } from "./panels";
import { Player } from "./player";
import { mostLookedFor, Plots } from "./plots";
import { Stage } from "./stage";
import { Tabs } from "./tabs";
import { Terrains } from "./terrain";
import { Themes } from "./theme";
import { themeButton } from "./theme_button";
import { Transport } from "./transport";

const report = readReport(document.getElementById("trammel-report")!.textContent!);
const themes = new Themes();
const player = new Player(report.times);
const mechanism = new Mechanism(report, player);

// the picture
const picture = element("div", { class: "picture" });
const stage = new Stage(mechanism, picture, report.floor, report.up);
const terrains = new Terrains(report, mechanism);
if (terrains.any) stage.showFloor(false);
const axes = new Axes(report, mechanism);
const forces = new Forces(report, player, 0.3 * stage.near);
const links = new Links(report, mechanism);
const traces = new Traces(report, player);
stage.scene.add(forces.root, links.root, traces.root);
axes.show(false);
forces.root.visible = false;

// labels of the bodies
const labels = report.bodies.slice(1).map((body, k) => ({ index: k + 1, tag: element("span", { class: "name-tag" }, body.name) }));
const names = element("div", { class: "names", "aria-hidden": "true" }, ...labels.map(({ tag }) => tag));
names.hidden = true;
stage.onFrame = () => {
  if (names.hidden) return;
  const box = picture.getBoundingClientRect();
  for (const { index, tag } of labels) {
    const { x, y, isSeen } = stage.onPage(mechanism.middle(index));
    tag.hidden = !isSeen;
    tag.style.transform = `translate(${x - box.left}px, ${y - box.top}px)`;
  }
};

// visibility and view
const followed = () => (mechanism.selected === null ? mechanism.centre() : mechanism.position(mechanism.selected));
let followedAt = followed();
const forceSize = element("input", { type: "range", min: "-1", max: "1", step: "any", value: "0", class: "force-size", "aria-label": "Length of the force arrows" });
forceSize.hidden = true;
forceSize.addEventListener("input", () => {
  forces.setSize(10 ** Number(forceSize.value));
  stage.invalidate();
});
const switches = element("div", { class: "tools left", role: "group", "aria-label": "What is shown" });
if (report.axes.length > 0) switches.append(switchButton("Axes", "Axes of the joints", false, (on) => (axes.show(on), stage.invalidate())));
if (forces.largest > 0)
  switches.append(
    switchButton("Forces", `Forces as arrows; the largest of the run is ${short(forces.largest)} N`, false, (on) => {
      forces.root.visible = on;
      forceSize.hidden = !on;
      forces.update();
      stage.invalidate();
    }),
    forceSize,
  );
switches.append(
  switchButton("Names", "Names of the bodies", false, (on) => ((names.hidden = !on), stage.invalidate())),
  switchButton("Floor", `Grid of ${short(stage.cell)} m, and shadows`, true, (on) => {
    terrains.show(on);
    stage.showFloor(on && !terrains.any);
  }),
);
const follow = switchButton("Follow", "The camera goes along with it, or with the selected body", stage.goesFar, (on) => (stage.isFollowing = on));
follow.hidden = !stage.goesFar;
const views = element(
  "div",
  { class: "tools right", role: "group", "aria-label": "Camera" },
  follow,
  ...(["fit", "front", "side", "top"] as const).map((view) =>
    element("button", { type: "button", title: view === "fit" ? "All in the picture (F)" : `Seen from the ${view}`, click: () => stage.look(view) }, view[0]!.toUpperCase() + view.slice(1)),
  ),
);
const scale = element("span", { class: "scale" }, `grid ${short(stage.cell)} m`);
scale.hidden = terrains.any; // the grid of a terrain has other lines
if (stage.hasPicture) picture.append(names, switches, views, scale);
if (report.times.length === 0) picture.append(element("p", { class: "notice" }, "Nothing was recorded: there is no motion to show."));

// the panels
const plots = new Plots(report.series, player, themes, { height: 196, namesTime: false, shows: mostLookedFor, hint: "Click to go to a time, drag to zoom, double-click to see all again." });
const bodies = new BodiesPanel(report, mechanism, traces, select, () => stage.invalidate());
const tabs = new Tabs([
  ["Plots", plots.root],
  ["Bodies", bodies.root],
  ["Model", modelPanel(report, player)],
]);
const transport = new Transport(player, report.moments);

function select(index: number | null): void {
  mechanism.select(index);
  bodies.show(index);
  follow.hidden = index === null && !stage.goesFar;
  if (follow.hidden && stage.isFollowing) follow.click(); // no moving body is left to follow
  followedAt = followed();
  stage.invalidate();
}

// a click on a body selects it; a drag rotates the camera
let pressed = { x: 0, y: 0 };
stage.canvas.addEventListener("pointerdown", (event) => (pressed = { x: event.clientX, y: event.clientY }));
stage.canvas.addEventListener("pointerup", (event) => {
  if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 4) return;
  const index = stage.pick(event.clientX, event.clientY);
  select(index);
  if (index !== null) tabs.open("Bodies");
});

// light and dark
function dress(): void {
  stage.setColours(themes.colour("--grid"), themes.current === "dark");
  plots.redraw();
}
themes.follow(dress);

// the page
const badge = auditBadge(report, () => tabs.open("Model"));
const head = element("header", {}, element("h1", {}, report.title), element("p", {}, report.model === report.title ? "" : report.model), ...(badge ? [badge] : []), themeButton(themes));
document.body.append(head, element("main", {}, element("div", { class: "watch" }, picture, transport.root), tabs.root));
dress();

// every part follows the clock
let lastFrame = 0;
function tick(now: number): void {
  if (!player.playing) return;
  player.advance(Math.min(now - lastFrame, 100) / 1000); // no jump after a pause of the browser
  lastFrame = now;
  requestAnimationFrame(tick);
}
let wasPlaying = false;
player.follow(() => {
  if (player.playing && !wasPlaying) {
    lastFrame = performance.now();
    requestAnimationFrame(tick);
  }
  wasPlaying = player.playing;
  mechanism.update();
  const at = followed();
  if (stage.isFollowing) stage.shift(at.clone().sub(followedAt));
  followedAt = at;
  stage.lightAt(mechanism.centre());
  links.update();
  forces.update();
  traces.update();
  transport.update();
  plots.update();
  bodies.update();
  stage.invalidate();
});
links.update();

// keys
const twentieth = Math.max(1, Math.round(report.times.length / 20));
const keys: Record<string, (event: KeyboardEvent) => void> = {
  " ": () => player.toggle(),
  ArrowLeft: ({ shiftKey }) => player.step(shiftKey ? -twentieth : -1),
  ArrowRight: ({ shiftKey }) => player.step(shiftKey ? twentieth : 1),
  Home: () => player.setTime(player.first),
  End: () => player.setTime(player.end),
  "+": () => transport.faster(1),
  "-": () => transport.faster(-1),
  l: () => transport.toggleLoop(),
  f: () => stage.look("fit"),
  Escape: () => select(null),
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as HTMLElement;
  const isTyping = target.matches("select, input:not([type=range]):not([type=checkbox])");
  const takesSpace = event.key === " " && target.matches("button, summary, input[type=checkbox]");
  const isTab = target.matches("[role=tab]") && event.key.startsWith("Arrow");
  const ownRange = target.matches(".force-size") && event.key !== " ";
  if (isTyping || takesSpace || isTab || ownRange) return;
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act(event);
});

// Interface for tests and for the console. Positions are read back from the scene.
function bodyIndex(name: string): number {
  const index = report.bodies.findIndex((body) => body.name === name);
  if (index < 0) throw new Error(`no body is called '${name}'`);
  return index;
}
const readBack = {
  bodies: () => report.bodies.map(({ name }) => name),
  bodyPosition: (name: string) => mechanism.position(bodyIndex(name)).toArray(),
  bodyRotation: (name: string) => mechanism.rotation(bodyIndex(name)).toArray(), // column-major
  bodyOnPage: (name: string) => stage.onPage(mechanism.middle(bodyIndex(name))),
  bodyBox: (name: string) => mechanism.box(bodyIndex(name)), // visible extent, in its own frame
  bodyColour: (name: string) => bodyColour(bodyIndex(name)),
  selected: () => (mechanism.selected === null ? null : report.bodies[mechanism.selected]!.name),
  seriesNames: () => report.series.map(({ name }) => name),
  plottedSeries: () => plots.shownNames,
  plotSeries: (wanted: string[]) => plots.choose(wanted),
  plotTimes: () => plots.shownTimes,
  plotRanges: () => plots.shownRanges("y"), // of the values, a pair for each plot
  isFollowing: () => stage.isFollowing,
  time: () => player.time,
  setTime: (time: number) => player.setTime(time),
  isPlaying: () => player.playing,
  theme: () => themes.current,
  hasPicture: () => stage.hasPicture,
  terrainHeight: (x: number, y: number) => terrains.heightAt(x, y),
  isFloorShown: () => stage.isFloorShown,
};
Object.assign(window, { trammel: readBack });
