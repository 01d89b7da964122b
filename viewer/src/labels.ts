// Labels over the picture that do not cover one another: each is put next to its point, or farther away with a line to
// it.
import { element } from "./dom";

export interface Label {
  key: string;
  text: string;
  kind: "name" | "force";
  x: number; // of its point [px]
  y: number;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
const overlap = (a: Box, b: Box) => a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

const sides: [number, number][] = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]];
const distances = [10, 26, 46, 70, 100];

// Boxes next to a point, the nearest first.
function candidates(x: number, y: number, width: number, height: number): (Box & { distance: number })[] {
  return distances.flatMap((distance) =>
    sides.map(([across, down]) => ({
      left: x + across * distance - (across < 0 ? width : across === 0 ? width / 2 : 0),
      top: y + down * distance - (down < 0 ? height : down === 0 ? height / 2 : 0),
      width,
      height,
      distance,
    })),
  );
}

export class LabelLayer {
  readonly root = element("div", { class: "names", "aria-hidden": "true" });
  private readonly lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  private readonly tags = new Map<string, { tag: HTMLElement; text: string; width: number; height: number; spot: number }>();

  constructor() {
    this.lines.classList.add("leaders");
    this.root.append(this.lines);
  }

  // Shows these labels and no others; the first ones have the choice of places. `room`: size of the picture.
  draw(labels: Label[], room: { width: number; height: number }, taken: Box[] = []): void {
    const boxes = [...taken];
    const leaders: SVGLineElement[] = [];
    const shown = new Set<string>();
    for (const label of labels) {
      if (label.x < 0 || label.y < 0 || label.x > room.width || label.y > room.height) continue;
      const own = this.tagOf(label);
      const all = candidates(label.x, label.y, own.width, own.height);
      const isFree = (box: Box) => box.left >= 0 && box.top >= 0 && box.left + box.width <= room.width && box.top + box.height <= room.height && !boxes.some((other) => overlap(box, other));
      // the place of the last picture, so that labels do not jump while the mechanism moves
      if (!all[own.spot] || !isFree(all[own.spot]!)) own.spot = all.findIndex(isFree);
      if (own.spot < 0) continue; // no room: it is left out
      const box = all[own.spot]!;
      boxes.push(box);
      shown.add(label.key);
      own.tag.style.transform = `translate(${box.left}px, ${box.top}px)`;
      if (box.distance > distances[0]!) leaders.push(line(label, box));
    }
    for (const [key, { tag }] of this.tags) tag.hidden = !shown.has(key);
    this.lines.replaceChildren(...leaders);
  }

  private tagOf({ key, text, kind }: Label) {
    let own = this.tags.get(key);
    if (!own) {
      own = { tag: element("span", { class: `name-tag ${kind}` }), text: "", width: 0, height: 0, spot: -1 };
      this.tags.set(key, own);
      this.root.append(own.tag);
    }
    if (own.text !== text) {
      own.text = own.tag.textContent = text;
      own.width = 0;
    }
    if (own.width === 0) {
      own.tag.hidden = false;
      own.width = own.tag.offsetWidth;
      own.height = own.tag.offsetHeight;
    }
    return own;
  }
}

// From a point to the nearest point of its label.
function line({ x, y }: Label, { left, top, width, height }: Box): SVGLineElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const [toX, toY] = [Math.min(Math.max(x, left), left + width), Math.min(Math.max(y, top), top + height)];
  for (const [name, value] of Object.entries({ x1: x, y1: y, x2: toX, y2: toY })) made.setAttribute(name, value.toFixed(1));
  return made;
}
