// Recorded columns as plots, without the mechanism: reads its data from the page and plots all columns.
import "uplot/dist/uPlot.min.css";
import "./page.css";
import "./plots.css";
import "./plots_page.css";
import { Angles } from "./angles";
import { readPlots } from "./data";
import { element, short } from "./dom";
import { Player } from "./player";
import { Plots } from "./plots";
import { Themes } from "./theme";
import { themeButton } from "./theme_button";

const page = readPlots(document.getElementById("trammel-plots")!.textContent!);
const themes = new Themes();
const player = new Player(page.times);

// a single plot fills the window
const isAlone = new Set(page.series.filter(({ isQuaternion }) => !isQuaternion).map(({ group, unit }) => JSON.stringify([group, unit]))).size === 1;
const height = isAlone ? Math.min(Math.max(innerHeight - 230, 260), 620) : 260;
const angles = new Angles();
const plots = new Plots(page.series, player, themes, angles, {
  height,
  namesTime: true,
  shows: (all) => all.filter(({ isQuaternion }) => !isQuaternion),
  hint: "Drag to zoom, double-click to see all again; a click puts the line, arrow keys move it by a sample.",
});

const samples = page.times.length;
const extent = samples === 0 ? "nothing was recorded" : `${samples} ${samples === 1 ? "sample" : "samples"}, ${short(player.first)} s to ${short(player.end)} s`;
document.body.append(
  element("header", {}, element("h1", {}, page.title), element("p", {}, extent), themeButton(themes)),
  element("main", {}, plots.root),
);

themes.follow(() => plots.redraw());
player.follow(() => plots.update());

const keys: Record<string, () => void> = {
  ArrowLeft: () => player.step(-1),
  ArrowRight: () => player.step(1),
  Home: () => player.setTime(player.first),
  End: () => player.setTime(player.end),
};
addEventListener("keydown", (event) => {
  const act = keys[event.key];
  const isTyping = (event.target as HTMLElement).matches("input[type=search]");
  if (!act || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
});

// Interface for tests and for the console.
const readBack = {
  seriesNames: () => page.series.map(({ name }) => name),
  plottedSeries: () => plots.shownNames,
  plotSeries: (wanted: string[]) => plots.choose(wanted),
  plotTimes: () => plots.shownTimes,
  plotRanges: () => plots.shownRanges("y"), // of the values, a pair for each plot
  timeRanges: () => plots.shownRanges("x"),
  time: () => player.time,
  setTime: (time: number) => player.setTime(time),
  theme: () => themes.current,
};
Object.assign(window, { trammel: readBack });
