// Paths in the picture: of chosen points of bodies (the past part strong), and given paths (dashed).
import * as THREE from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { Report, Vector } from "./data";
import { element } from "./dom";
import { putAt } from "./mechanism";
import type { Player } from "./player";

const mostAtFirst = 12; // frames traced without being chosen
const mostPoints = 4000; // of one line

// A point whose path may be shown: a body's center of mass, or a named frame.
export interface TracedPoint {
  label: string;
  body: number;
  at: Vector;
  isFrame: boolean;
}

// The points that move: of every moving body its center of mass, then its frames.
export function traceablePoints(report: Report): TracedPoint[] {
  return report.bodies.flatMap((body, index) => {
    if (body.poses.length === 7 || report.times.length < 2) return [];
    const frames = report.frames.filter((one) => one.body === index);
    return [
      { label: body.name, body: index, at: body.com ?? [0, 0, 0], isFrame: false } as TracedPoint,
      ...frames.map(({ name, at }): TracedPoint => ({ label: name, body: index, at: [at[0], at[1], at[2]], isFrame: true })),
    ];
  });
}

function lineThrough(points: number[], material: LineMaterial): Line2 {
  const made = new Line2(new LineGeometry().setPositions(points), material);
  made.raycast = () => {};
  made.frustumCulled = false;
  return made;
}

export class Traces {
  readonly root = new THREE.Group();
  readonly points: TracedPoint[];
  onChange: () => void = () => {};
  private readonly shown = new Map<TracedPoint, { behind: Line2; stride: number; count: number }>();

  constructor(private readonly report: Report, private readonly player: Player, private readonly colourOf: (body: number) => string) {
    this.points = traceablePoints(report);
  }

  isShown(point: TracedPoint): boolean {
    return this.root.visible && this.shown.has(point);
  }
  get isAnyShown(): boolean {
    return this.root.visible && this.shown.size > 0;
  }
  get shownLabels(): string[] {
    return this.points.filter((point) => this.isShown(point)).map(({ label }) => label);
  }

  // Named frames that move, if they are few.
  showFrames(): void {
    const moving = this.points.filter((point) => point.isFrame && this.extent(point) > 1e-3 * this.report.length);
    if (moving.length <= mostAtFirst) for (const point of moving) this.show(point);
  }
  // All of them, or none; if none has been chosen, the frames, else the centers of mass.
  showAny(on: boolean): void {
    if (on && this.shown.size === 0) {
      const frames = this.points.filter(({ isFrame }) => isFrame);
      for (const point of frames.length > 0 ? frames : this.points) this.show(point);
    }
    this.root.visible = on;
    this.update();
    this.onChange();
  }
  // One more, or one less, of those that are seen.
  choose(point: TracedPoint, on: boolean): void {
    if (!this.root.visible) {
      for (const other of [...this.shown.keys()]) this.hide(other);
      this.root.visible = true;
    }
    if (on) this.show(point);
    else this.hide(point);
    this.onChange();
  }

  private path({ body, at }: TracedPoint, stride: number): number[] {
    const mover = new THREE.Object3D();
    const point = new THREE.Vector3();
    const path: number[] = [];
    for (let index = 0; index < this.report.times.length; index += stride) {
      putAt(mover, this.report.bodies[body]!.poses, index, 0);
      mover.updateMatrix();
      path.push(...point.set(...at).applyMatrix4(mover.matrix).toArray());
    }
    return path;
  }
  private extent(point: TracedPoint): number {
    const box = new THREE.Box3().setFromArray(this.path(point, Math.max(1, Math.floor(this.report.times.length / 80))));
    return box.getSize(new THREE.Vector3()).length();
  }

  private show(point: TracedPoint): void {
    if (this.shown.has(point)) return;
    const stride = Math.ceil(this.report.times.length / mostPoints);
    const path = this.path(point, stride);
    if (path.length < 6) return;
    const line = (width: number, opacity: number) =>
      lineThrough(path, new LineMaterial({ color: this.colourOf(point.body), linewidth: width, transparent: true, opacity }));
    const behind = line(3, 1);
    this.root.add(new THREE.Group().add(line(1.5, 0.4), behind));
    this.shown.set(point, { behind, stride, count: path.length / 3 - 1 });
    this.update();
  }
  private hide(point: TracedPoint): void {
    this.shown.get(point)?.behind.parent?.removeFromParent();
    this.shown.delete(point);
  }
  update(): void {
    const { index } = this.player.sample();
    for (const { behind, stride, count } of this.shown.values())
      behind.geometry.instanceCount = Math.min(Math.floor(index / stride), count);
  }
}

// Colors of given paths; legible on light and dark.
const pathColours = ["#1f9fb0", "#d4504c", "#8a63d2"];

// Given paths, such as the desired one of inverse dynamics, with a key.
export class Paths {
  readonly root = new THREE.Group();
  readonly keys: HTMLElement[];

  constructor({ paths, length }: Report) {
    this.keys = paths.map(({ name, points }, k) => {
      const colour = pathColours[k % pathColours.length]!;
      const material = new LineMaterial({ color: colour, linewidth: 2.5, dashed: true, dashSize: 0.1 * length, gapSize: 0.06 * length });
      if (points.length >= 6) this.root.add(lineThrough(Array.from(points), material).computeLineDistances());
      return element("p", { class: "key" }, element("span", { class: "path-sign", style: `border-color:${colour}`, "aria-hidden": "true" }), name);
    });
  }
}
