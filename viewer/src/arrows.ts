// Forces as arrows with their values: the longest is the largest force of the run.
import * as THREE from "three";
import type { Arrow, Report } from "./data";
import { element, withPrefix } from "./dom";
import type { Player } from "./player";

const mostNumbers = 8; // in one picture
const z = new THREE.Vector3(0, 0, 1);

export class Forces {
  readonly root = new THREE.Group();
  readonly largest: number; // of the run [N]
  readonly largestName: string;
  private readonly arrows: { data: Arrow; arrow: THREE.Group; shaft: THREE.Mesh; head: THREE.Mesh; force: number; tip: THREE.Vector3 }[] = [];
  private readonly material = new THREE.MeshStandardMaterial({ color: "#d1343f", roughness: 0.6, emissive: "#d1343f", emissiveIntensity: 0.25, depthTest: false, transparent: true });
  private size = 1;

  constructor(report: Report, private readonly player: Player, private readonly length: number) {
    let [largest, name] = [0, ""];
    for (const data of report.arrows)
      for (let k = 0; k + 2 < data.force.length; k += 3) {
        const force = Math.hypot(data.force[k]!, data.force[k + 1]!, data.force[k + 2]!);
        if (force > largest) [largest, name] = [force, data.name];
      }
    [this.largest, this.largestName] = [largest, name];
    const radius = 0.016 * length;
    const shaftGeometry = new THREE.CylinderGeometry(radius, radius, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const headGeometry = new THREE.ConeGeometry(2.6 * radius, 6.5 * radius, 20).rotateX(Math.PI / 2).translate(0, 0, -3.25 * radius);
    for (const data of report.arrows) {
      const arrow = new THREE.Group();
      const shaft = new THREE.Mesh(shaftGeometry, this.material);
      const head = new THREE.Mesh(headGeometry, this.material);
      arrow.add(shaft, head);
      for (const part of [shaft, head]) {
        part.renderOrder = 2; // visible through the bodies they act in
        part.raycast = () => {};
      }
      this.root.add(arrow);
      this.arrows.push({ data, arrow, shaft, head, force: 0, tip: new THREE.Vector3() });
    }
  }

  setSize(size: number): void {
    this.size = size;
    this.update();
  }

  // The largest forces of the picture, with the points of their arrows.
  get numbers(): { name: string; text: string; tip: THREE.Vector3 }[] {
    if (!this.root.visible) return [];
    return this.arrows
      .filter(({ arrow, force }) => arrow.visible && force > 0.02 * this.largest)
      .sort((a, b) => b.force - a.force)
      .slice(0, mostNumbers)
      .map(({ data, force, tip }) => ({ name: data.name, text: `${data.name} ${withPrefix(force, "N")}`, tip }));
  }

  update(): void {
    if (!this.root.visible || this.largest === 0) return;
    const { index, fraction } = this.player.sample();
    const at = new THREE.Vector3();
    const force = new THREE.Vector3();
    const next = new THREE.Vector3();
    for (const one of this.arrows) {
      const { data, arrow, shaft, head, tip } = one;
      const k = 3 * index;
      at.fromArray(data.at, k);
      force.fromArray(data.force, k);
      if (fraction > 0) {
        at.lerp(next.fromArray(data.at, k + 3), fraction);
        force.lerp(next.fromArray(data.force, k + 3), fraction);
      }
      one.force = force.length();
      const length = (this.size * this.length * one.force) / this.largest;
      arrow.visible = length > 1e-3 * this.length;
      if (!arrow.visible) continue;
      arrow.position.copy(at);
      arrow.quaternion.setFromUnitVectors(z, force.normalize());
      tip.copy(at).addScaledVector(force, length);
      const shrink = Math.min(1, length / (0.13 * this.length)); // a short arrow has a small head
      head.scale.setScalar(shrink);
      head.position.z = length;
      shaft.scale.set(shrink, shrink, Math.max(length - 0.1 * this.length * shrink, 1e-6));
    }
  }
}

export function forceLegend({ largest, largestName }: Forces): HTMLElement {
  return element(
    "p",
    { class: "key" },
    element("span", { class: "arrow-sign", "aria-hidden": "true" }, "⟶"),
    `force on a body, at its joint or contact; the longest of the run is ${withPrefix(largest, "N")} (${largestName})`,
  );
}
