// All bodies of the mechanism, put where the data says at a time.
import * as THREE from "three";
import type { Body, Report } from "./data";
import { bodyColour, makeFigure } from "./figure";
import type { Player } from "./player";

// Between samples a body goes straight on and turns evenly.
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
    this.figures = report.bodies.map((body, index) => makeFigure(body, index, report.length));
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

  // Where a body is now, read back from the scene.
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
  // The middle of what is seen of a body.
  middle(index: number): THREE.Vector3 {
    const { com, places, shapes } = this.bodies[index]!;
    const at = shapes.length > 0 ? shapes[0]!.at : (com ?? places[0] ?? [0, 0, 0]);
    this.figures[index]!.updateWorldMatrix(true, false);
    return this.figures[index]!.localToWorld(new THREE.Vector3(at[0], at[1], at[2]));
  }

  // All the room it takes while it moves: corners of the boxes around its bodies.
  corners(): THREE.Vector3[] {
    const corners: THREE.Vector3[] = [];
    const count = this.report.times.length;
    const mover = new THREE.Object3D();
    this.figures.forEach((figure, k) => {
      const own = ownBox(figure);
      if (own.isEmpty()) return;
      const { poses } = this.bodies[k]!;
      const stride = Math.max(1, Math.floor(count / 80));
      for (let index = 0; index < (poses.length === 7 ? Math.min(count, 1) : count); index += stride) {
        putAt(mover, poses, index, 0);
        mover.updateMatrix();
        for (let corner = 0; corner < 8; ++corner) {
          const { min, max } = own;
          const at = new THREE.Vector3(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z);
          corners.push(at.applyMatrix4(mover.matrix));
        }
      }
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
