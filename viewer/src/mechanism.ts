// All bodies of the mechanism, posed at a given time.
import * as THREE from "three";
import type { Body, Report } from "./data";
import { bodyColour, makeFigure, makeGeometry } from "./figure";
import type { Player } from "./player";

// Interpolation between samples: linear in position, spherical in orientation.
const nextPosition = new THREE.Vector3();
const nextTurn = new THREE.Quaternion();
export function putAt(object: THREE.Object3D, poses: Float32Array, index: number, fraction: number): void {
  const isStill = poses.length === 7;
  const k = isStill ? 0 : 7 * index;
  object.position.fromArray(poses, k);
  object.quaternion.fromArray(poses, k + 3);
  if (!isStill && fraction > 0) {
    object.position.lerp(nextPosition.fromArray(poses, k + 7), fraction);
    object.quaternion.slerp(nextTurn.fromArray(poses, k + 10), fraction);
  }
  object.quaternion.normalize(); // single precision
}

export class Mechanism {
  readonly root = new THREE.Group();
  readonly figures: THREE.Group[];
  selected: number | null = null;
  private readonly triad: THREE.Group;

  constructor(private readonly report: Report, private readonly player: Player) {
    const meshes = report.meshes.map(makeGeometry); // bodies share them
    this.figures = report.bodies.map((body, index) => makeFigure(body, index, report.length, meshes));
    this.root.add(...this.figures);
    this.root.visible = report.times.length > 0;
    this.triad = makeTriad(0.45 * report.length);
    this.update();
  }

  get bodies(): Body[] {
    return this.report.bodies;
  }

  update(): void {
    if (this.report.times.length === 0) return;
    const { index, fraction } = this.player.sample();
    this.figures.forEach((figure, k) => putAt(figure, this.bodies[k]!.poses, index, fraction));
  }

  select(index: number | null): void {
    this.selected = index;
    this.triad.removeFromParent();
    if (index !== null) this.figures[index]!.add(this.triad);
    const glow = new THREE.Color(index === null ? 0 : bodyColour(index));
    this.figures.forEach((figure, k) =>
      figure.traverse((object) => {
        if (!(object instanceof THREE.Mesh) || !(object.material instanceof THREE.MeshStandardMaterial)) return;
        object.material.emissive.copy(k === index ? glow : new THREE.Color(0));
        object.material.emissiveIntensity = 0.55;
      }),
    );
  }

  // Current position of a body, read back from the scene.
  position(index: number): THREE.Vector3 {
    const figure = this.figures[index]!;
    figure.updateWorldMatrix(true, false);
    return new THREE.Vector3().setFromMatrixPosition(figure.matrixWorld);
  }
  rotation(index: number): THREE.Matrix3 {
    const figure = this.figures[index]!;
    figure.updateWorldMatrix(true, false);
    return new THREE.Matrix3().setFromMatrix4(figure.matrixWorld);
  }
  // Smallest and largest x, y, z of the visible part of a body, in its own frame.
  box(index: number): number[][] {
    const { min, max } = ownBox(this.figures[index]!);
    return [min.toArray(), max.toArray()];
  }
  // Center of the visible part of a body.
  middle(index: number): THREE.Vector3 {
    const { com, places, shapes } = this.bodies[index]!;
    const at = shapes.length > 0 ? shapes[0]!.at : (com ?? places[0] ?? [0, 0, 0]);
    this.figures[index]!.updateWorldMatrix(true, false);
    return this.figures[index]!.localToWorld(new THREE.Vector3(at[0], at[1], at[2]));
  }

  private get moving(): number[] {
    return this.bodies.flatMap(({ poses }, k) => (poses.length > 7 ? [k] : []));
  }
  // Mean position of all moving bodies now.
  centre(): THREE.Vector3 {
    const sum = new THREE.Vector3();
    for (const index of this.moving) sum.add(this.position(index));
    return sum.divideScalar(Math.max(this.moving.length, 1));
  }
  // Extent of all moving bodies at one time: the largest, at the start, and one that a quarter of the run stays below; and
  // the diagonal of the box that its center covers [m].
  travel(): { size: number; first: number; usual: number; way: number } {
    const count = this.report.times.length;
    const stride = Math.max(1, Math.floor(count / 80));
    const boxes = this.figures.map(ownBox);
    const middles = new THREE.Box3();
    const sizes: number[] = [];
    for (let index = 0; index < count; index += stride) {
      const box = new THREE.Box3();
      for (const k of this.moving) box.union(new THREE.Box3().setFromPoints(this.cornersAt(k, boxes[k]!, index)));
      if (box.isEmpty()) continue;
      sizes.push(box.getSize(new THREE.Vector3()).length());
      middles.expandByPoint(box.getCenter(new THREE.Vector3()));
    }
    const first = sizes[0] ?? 0;
    sizes.sort((a, b) => a - b);
    const [size, usual] = [sizes[sizes.length - 1] ?? 0, sizes[Math.floor(sizes.length / 4)] ?? 0];
    return { size, first, usual, way: middles.isEmpty() ? 0 : middles.getSize(new THREE.Vector3()).length() };
  }
  // Corners of the boxes around the moving bodies now.
  cornersNow(): THREE.Vector3[] {
    const { index } = this.player.sample();
    return this.moving.flatMap((k) => this.cornersAt(k, ownBox(this.figures[k]!), index));
  }
  private cornersAt(body: number, own: THREE.Box3, index: number): THREE.Vector3[] {
    if (own.isEmpty()) return [];
    const mover = new THREE.Object3D();
    putAt(mover, this.bodies[body]!.poses, index, 0);
    mover.updateMatrix();
    const { min, max } = own;
    return [0, 1, 2, 3, 4, 5, 6, 7].map((corner) =>
      new THREE.Vector3(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z).applyMatrix4(mover.matrix),
    );
  }

  // Extent of the whole motion: corners of the boxes around its bodies.
  corners(): THREE.Vector3[] {
    const corners: THREE.Vector3[] = [];
    const count = this.report.times.length;
    this.figures.forEach((figure, k) => {
      const own = ownBox(figure);
      const { poses } = this.bodies[k]!;
      const stride = Math.max(1, Math.floor(count / 80));
      for (let index = 0; index < (poses.length === 7 ? Math.min(count, 1) : count); index += stride) corners.push(...this.cornersAt(k, own, index));
    });
    return corners.length > 0 ? corners : [new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 1)];
  }
}

// The box around a figure, in its own frame.
function ownBox(figure: THREE.Group): THREE.Box3 {
  const held = { position: figure.position.clone(), quaternion: figure.quaternion.clone() };
  figure.position.set(0, 0, 0);
  figure.quaternion.identity();
  figure.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(figure);
  figure.position.copy(held.position);
  figure.quaternion.copy(held.quaternion);
  figure.updateMatrixWorld(true);
  return box;
}

// Three little arrows: x red, y green, z blue.
export function makeTriad(length: number): THREE.Group {
  const triad = new THREE.Group();
  const axes: [string, THREE.Vector3][] = [
    ["#d1495b", new THREE.Vector3(1, 0, 0)],
    ["#3d9970", new THREE.Vector3(0, 1, 0)],
    ["#2f6fde", new THREE.Vector3(0, 0, 1)],
  ];
  for (const [colour, along] of axes) {
    const arrow = new THREE.ArrowHelper(along, new THREE.Vector3(), length, colour, 0.2 * length, 0.1 * length);
    arrow.traverse((object) => {
      if (object instanceof THREE.Mesh || object instanceof THREE.Line) {
        (object.material as THREE.Material).depthTest = false;
        object.renderOrder = 3;
        object.raycast = () => {};
      }
    });
    triad.add(arrow);
  }
  return triad;
}
