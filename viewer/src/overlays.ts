// Parts of the picture that belong to no single body: joint axes, rods and springs.
import * as THREE from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { Report } from "./data";
import type { Mechanism } from "./mechanism";

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
