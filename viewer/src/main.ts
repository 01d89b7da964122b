// A report: reads its data from the page, builds all parts, and connects them to one clock.
import "uplot/dist/uPlot.min.css";
import "./page.css";
import "./plots.css";
import "./style.css";
import { Angles } from "./angles";
import { firstPlots } from "./choice";
import { readReport } from "./data";
import { element } from "./dom";
import { bodyColour } from "./figure";
import { filmAsText } from "./film";
import { Mechanism } from "./mechanism";
import { auditBadge, BodiesPanel, modelPanel } from "./panels";
import { Picture } from "./picture";
import { Player } from "./player";
import { Plots } from "./plots";
import { Tabs } from "./tabs";
import { Themes } from "./theme";
import { themeButton } from "./theme_button";
import { Transport } from "./transport";

const report = readReport(document.getElementById("trammel-report")!.textContent!);
const themes = new Themes();
const player = new Player(report.times);
const mechanism = new Mechanism(report, player);

const angles = new Angles();
const picture = new Picture(report, mechanism, player);
const { stage } = picture;
const followed = () => (mechanism.selected === null ? mechanism.centre() : mechanism.position(mechanism.selected));
let followedAt = followed();

// the panels
const plots = new Plots(report.series, player, themes, angles, {
  height: 196,
  namesTime: false,
  shows: (all) => firstPlots(all, report.driven),
  hint: "Click to go to a time, drag to zoom, double-click to see all again.",
});
const bodies = new BodiesPanel(report, mechanism, picture.traces, select);
const traced = picture.traces.onChange;
picture.traces.onChange = () => (traced(), bodies.mark());
const tabs = new Tabs([
  ["Plots", plots.root],
  ["Bodies", bodies.root],
  ["Model", modelPanel(report, player)],
]);
const transport = new Transport(player, report.moments);

function select(index: number | null): void {
  mechanism.select(index);
  bodies.show(index);
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
document.body.append(head, element("main", {}, element("div", { class: "watch" }, picture.root, transport.root), tabs.root));
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
  picture.update();
  transport.update();
  plots.update();
  bodies.update();
});

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
  dashedSeries: () => plots.dashedNames,
  plotTimes: () => plots.shownTimes,
  plotRanges: () => plots.shownRanges("y"), // of the values, a pair for each plot
  isFollowing: () => stage.isFollowing,
  time: () => player.time,
  setTime: (time: number) => player.setTime(time),
  isPlaying: () => player.playing,
  theme: () => themes.current,
  hasPicture: () => stage.hasPicture,
  terrainHeight: (x: number, y: number) => picture.terrains.heightAt(x, y),
  tracedPoints: () => picture.traces.shownLabels,
  angleUnit: () => angles.unit,
  film: () => filmAsText(player, stage, themes, report.title), // WebM in base64
  isFloorShown: () => stage.isFloorShown,
};
Object.assign(window, { trammel: readBack });
