// Optional overlays, each with a switch: joint axes, forces, rods and springs, traces.
import * as THREE from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { Arrow, Report, Vector } from "./data";
import type { Mechanism } from "./mechanism";
import { putAt } from "./mechanism";
import type { Player } from "./player";

const cannotBePicked = (object: THREE.Object3D) => object.traverse((part) => (part.raycast = () => {}));
const z = new THREE.Vector3(0, 0, 1);

// Joint axes move with the bodies they are fixed to.
export class Axes {
  private readonly lines: THREE.Object3D[] = [];

  constructor(report: Report, mechanism: Mechanism) {
    const half = 0.35 * report.length;
    for (const { body, at, axis, slides } of report.axes) {
      const along = new THREE.Vector3(...axis).normalize().multiplyScalar(half);
      const middle = new THREE.Vector3(...at);
      const geometry = new LineGeometry().setPositions([
        ...middle.clone().sub(along).toArray(),
        ...middle.clone().add(along).toArray(),
      ]);
      const material = new LineMaterial({
        color: slides ? "#2a9d8f" : "#d9822b",
        linewidth: 2.5,
        dashed: true,
        dashSize: 0.09 * report.length,
        gapSize: 0.05 * report.length,
        depthTest: false,
        transparent: true,
      });
      const line = new Line2(geometry, material).computeLineDistances();
      line.renderOrder = 2;
      cannotBePicked(line);
      mechanism.figures[body]!.add(line);
      this.lines.push(line);
    }
  }
  show(visible: boolean): void {
    for (const line of this.lines) line.visible = visible;
  }
}

// Forces as arrows, the largest of the run as long as `length`.
export class Forces {
  readonly root = new THREE.Group();
  readonly largest: number;
  private readonly arrows: { data: Arrow; arrow: THREE.Group; shaft: THREE.Mesh; head: THREE.Mesh }[] = [];
  private readonly material = new THREE.MeshStandardMaterial({ color: "#d1343f", roughness: 0.6, emissive: "#d1343f", emissiveIntensity: 0.25, depthTest: false, transparent: true });
  private size = 1;

  constructor(report: Report, private readonly player: Player, private readonly length: number) {
    let largest = 0;
    for (const { force } of report.arrows)
      for (let k = 0; k + 2 < force.length; k += 3)
        largest = Math.max(largest, Math.hypot(force[k]!, force[k + 1]!, force[k + 2]!));
    this.largest = largest;
    const radius = 0.016 * length;
    const shaftGeometry = new THREE.CylinderGeometry(radius, radius, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const headGeometry = new THREE.ConeGeometry(2.6 * radius, 6.5 * radius, 20).rotateX(Math.PI / 2).translate(0, 0, -3.25 * radius);
    for (const data of report.arrows) {
      const arrow = new THREE.Group();
      const shaft = new THREE.Mesh(shaftGeometry, this.material);
      const head = new THREE.Mesh(headGeometry, this.material);
      arrow.add(shaft, head);
      for (const part of [shaft, head]) part.renderOrder = 2; // visible through the bodies they act in
      cannotBePicked(arrow);
      this.root.add(arrow);
      this.arrows.push({ data, arrow, shaft, head });
    }
  }

  setSize(size: number): void {
    this.size = size;
    this.update();
  }

  update(): void {
    if (!this.root.visible || this.largest === 0) return;
    const { index, fraction } = this.player.sample();
    const at = new THREE.Vector3();
    const force = new THREE.Vector3();
    const next = new THREE.Vector3();
    for (const { data, arrow, shaft, head } of this.arrows) {
      const k = 3 * index;
      at.fromArray(data.at, k);
      force.fromArray(data.force, k);
      if (fraction > 0) {
        at.lerp(next.fromArray(data.at, k + 3), fraction);
        force.lerp(next.fromArray(data.force, k + 3), fraction);
      }
      const length = (this.size * this.length * force.length()) / this.largest;
      arrow.visible = length > 1e-3 * this.length;
      if (!arrow.visible) continue;
      arrow.position.copy(at);
      arrow.quaternion.setFromUnitVectors(z, force.normalize());
      const shrink = Math.min(1, length / (0.13 * this.length)); // a short arrow has a small head
      head.scale.setScalar(shrink);
      head.position.z = length;
      shaft.scale.set(shrink, shrink, Math.max(length - 0.1 * this.length * shrink, 1e-6));
    }
  }
}

// Rods and springs between two bodies.
export class Links {
  readonly root = new THREE.Group();
  private readonly drawn: THREE.Mesh[];

  constructor(private readonly report: Report, private readonly mechanism: Mechanism) {
    const radius = 0.02 * report.length;
    const steel = new THREE.MeshStandardMaterial({ color: "#8b98a8", roughness: 0.4, metalness: 0.3 });
    this.drawn = report.links.map(({ kind }) => {
      const geometry =
        kind === "rod"
          ? new THREE.CylinderGeometry(radius, radius, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5)
          : new THREE.TubeGeometry(new Coil(2.2 * radius), 200, 0.45 * radius, 8);
      const mesh = new THREE.Mesh(geometry, steel);
      mesh.castShadow = true;
      cannotBePicked(mesh);
      return mesh;
    });
    if (this.drawn.length > 0) this.root.add(...this.drawn);
  }

  update(): void {
    this.report.links.forEach(({ ends }, k) => {
      const [from, to] = ends.map(({ body, at }) => {
        const figure = this.mechanism.figures[body]!;
        figure.updateWorldMatrix(true, false);
        return figure.localToWorld(new THREE.Vector3(...at));
      }) as [THREE.Vector3, THREE.Vector3];
      const along = to.sub(from);
      const mesh = this.drawn[k]!;
      const length = along.length();
      mesh.visible = length > 0;
      mesh.position.copy(from);
      mesh.scale.set(1, 1, Math.max(length, 1e-9));
      if (length > 0) mesh.quaternion.setFromUnitVectors(z, along.divideScalar(length));
    });
  }
}

// Ten turns from z = 0 to z = 1, straight at both ends.
class Coil extends THREE.Curve<THREE.Vector3> {
  constructor(private readonly radius: number) {
    super();
  }
  override getPoint(t: number, out = new THREE.Vector3()): THREE.Vector3 {
    const wide = this.radius * Math.min(1, 12 * Math.min(t, 1 - t));
    const angle = 20 * Math.PI * t;
    return out.set(wide * Math.cos(angle), wide * Math.sin(angle), t);
  }
}

// A point whose path may be shown: a body's center of mass, or a named frame.
export interface TracedPoint {
  label: string;
  body: number;
  at: Vector;
}

// Paths of chosen points: the whole path faint, the past part strong.
export class Traces {
  readonly root = new THREE.Group();
  private readonly shown = new Map<TracedPoint, { behind: Line2; stride: number; count: number }>();

  constructor(private readonly report: Report, private readonly player: Player) {}

  isShown(point: TracedPoint): boolean {
    return this.shown.has(point);
  }
  show(point: TracedPoint, colour: string): void {
    const { poses } = this.report.bodies[point.body]!;
    const samples = this.report.times.length;
    if (poses.length === 7 || samples < 2 || this.shown.has(point)) return;
    const stride = Math.ceil(samples / 4000);
    const mover = new THREE.Object3D();
    const path: number[] = [];
    for (let index = 0; index < samples; index += stride) {
      putAt(mover, poses, index, 0);
      mover.updateMatrix();
      path.push(...new THREE.Vector3(...point.at).applyMatrix4(mover.matrix).toArray());
    }
    if (path.length < 6) return;
    const line = (width: number, opacity: number) => {
      const material = new LineMaterial({ color: colour, linewidth: width, transparent: true, opacity });
      const made = new Line2(new LineGeometry().setPositions(path), material);
      cannotBePicked(made);
      made.frustumCulled = false;
      return made;
    };
    const pair = new THREE.Group();
    const behind = line(3, 1);
    pair.add(line(1.5, 0.4), behind);
    this.root.add(pair);
    this.shown.set(point, { behind, stride, count: path.length / 3 - 1 });
    this.update();
  }
  hide(point: TracedPoint): void {
    this.shown.get(point)?.behind.parent?.removeFromParent();
    this.shown.delete(point);
  }
  update(): void {
    const { index } = this.player.sample();
    for (const { behind, stride, count } of this.shown.values())
      behind.geometry.instanceCount = Math.min(Math.floor(index / stride), count);
  }
}
