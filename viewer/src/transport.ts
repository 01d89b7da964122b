// The bar under the picture: play, the slider with its marks, the time, speed and loop.
import type { Moment } from "./data";
import { element, icon, short, switchButton, withDecimalsOf } from "./dom";
import type { Player } from "./player";

const playPath = "M8 5.5v13l11-6.5z";
const pausePath = "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z";
export const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export class Transport {
  readonly root: HTMLElement;
  private readonly button = element("button", { type: "button", class: "play" });
  private readonly slider = element("input", { type: "range", step: "any", "aria-label": "Time" });
  private readonly clock = element("output", { class: "clock" });
  private readonly speed = element("select", { "aria-label": "Speed", title: "Speed, times real time" });
  private readonly loop: HTMLButtonElement;
  private readonly time: (value: number) => string;
  private isPlayingShown: boolean | null = null;

  constructor(private readonly player: Player, moments: Moment[]) {
    this.time = withDecimalsOf((player.end - player.first) / 500 || 1);
    this.slider.min = String(player.first);
    this.slider.max = String(player.end);
    this.slider.disabled = this.button.disabled = !player.canMove;
    this.slider.addEventListener("input", () => {
      player.playing = false;
      player.setTime(Number(this.slider.value));
    });
    this.button.addEventListener("click", () => player.toggle());

    for (const value of speeds) this.speed.append(element("option", { value: String(value) }, `${value}×`));
    player.speed = this.fittingSpeed();
    this.speed.value = String(player.speed);
    this.speed.addEventListener("change", () => (player.speed = Number(this.speed.value)));
    this.loop = switchButton("Loop", "Begin again at the end (L)", player.loop, (on) => (player.loop = on));

    const marks = element("div", { class: "marks" }, ...this.apart(moments).map((moment) => this.mark(moment)));
    this.root = element("div", { class: "transport", role: "group", "aria-label": "Playback" });
    this.root.append(this.button, element("div", { class: "track" }, marks, this.slider), this.clock, this.speed, this.loop);
    this.update();
  }

  // Real time, unless that is too short or too long to watch.
  private fittingSpeed(): number {
    const duration = this.player.end - this.player.first;
    if (!(duration > 0) || (duration >= 1.5 && duration <= 90)) return 1;
    const wanted = duration / 10;
    return speeds.reduce((best, one) => (Math.abs(Math.log(one / wanted)) < Math.abs(Math.log(best / wanted)) ? one : best));
  }

  // Without those that repeat before they could be told apart.
  private apart(moments: Moment[]): Moment[] {
    const least = 0.008 * (this.player.end - this.player.first);
    const last = new Map<string, number>();
    return moments.filter(({ time, text }) => {
      const isNew = time - (last.get(text) ?? -Infinity) >= least;
      if (isNew) last.set(text, time);
      return isNew;
    });
  }

  private mark({ time, text }: Moment): HTMLElement {
    const span = this.player.end - this.player.first;
    const part = span > 0 ? Math.min(Math.max((time - this.player.first) / span, 0), 1) : 0;
    const label = `${text} (${short(time)} s)`;
    return element("button", {
      type: "button",
      class: "mark",
      style: `--part:${part}`,
      title: label,
      "aria-label": `Go to: ${label}`,
      click: () => this.player.setTime(time),
    });
  }

  faster(steps: number): void {
    const now = speeds.indexOf(this.player.speed);
    this.player.speed = speeds[Math.min(Math.max(now + steps, 0), speeds.length - 1)]!;
    this.speed.value = String(this.player.speed);
  }
  toggleLoop(): void {
    this.loop.click();
  }

  update(): void {
    const { player } = this;
    this.slider.value = String(player.time);
    const span = player.end - player.first;
    this.slider.style.setProperty("--filled", `${span > 0 ? (100 * (player.time - player.first)) / span : 0}%`);
    const now = this.time(player.time);
    this.slider.setAttribute("aria-valuetext", `${now} seconds`);
    this.clock.textContent = player.times.length === 0 ? "no samples" : `${now} / ${this.time(player.end)} s`;
    if (this.isPlayingShown !== player.playing) {
      this.isPlayingShown = player.playing;
      this.button.replaceChildren(icon(player.playing ? pausePath : playPath));
      this.button.setAttribute("aria-label", player.playing ? "Pause" : "Play");
      this.button.title = player.playing ? "Pause (space)" : "Play (space)";
    }
  }
}
