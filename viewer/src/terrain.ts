// Terrains: a surface with grid lines, fixed to its body.
import * as THREE from "three";
import type { Report, Terrain } from "./data";
import { place } from "./figure";
import type { Mechanism } from "./mechanism";

function surface({ count, start, spacing, heights }: Terrain): THREE.BufferGeometry {
  const points = new Float32Array(3 * count * count);
  for (let i = 0; i < count; ++i)
    for (let j = 0; j < count; ++j)
      points.set([start[0] + i * spacing[0], start[1] + j * spacing[1], heights[i * count + j]!], 3 * (i * count + j));
  const faces: number[] = [];
  const isWhole = (k: number) => Number.isFinite(heights[k]!);
  for (let i = 0; i + 1 < count; ++i)
    for (let j = 0; j + 1 < count; ++j) {
      const k = i * count + j;
      const corners = [k, k + 1, k + count, k + count + 1];
      if (corners.every(isWhole)) faces.push(k, k + count, k + 1, k + 1, k + count, k + count + 1);
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}

// Along every sixth row of points.
function gridLines({ count, start, spacing, heights }: Terrain, lift: number): THREE.BufferGeometry {
  const points: number[] = [];
  const corner = (i: number, j: number) => points.push(start[0] + i * spacing[0], start[1] + j * spacing[1], heights[i * count + j]! + lift);
  const isWhole = (i: number, j: number) => Number.isFinite(heights[i * count + j]!);
  for (let i = 0; i < count; i += 6)
    for (let j = 0; j + 1 < count; ++j) {
      if (isWhole(i, j) && isWhole(i, j + 1)) corner(i, j), corner(i, j + 1);
      if (isWhole(j, i) && isWhole(j + 1, i)) corner(j, i), corner(j + 1, i);
    }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
}

export class Terrains {
  private readonly groups: THREE.Group[];
  private readonly skins: THREE.Mesh[] = [];

  constructor(report: Report, mechanism: Mechanism) {
    this.groups = report.terrains.map((terrain) => {
      const group = new THREE.Group();
      const ground = new THREE.MeshStandardMaterial({ color: "#b9c2a6", roughness: 0.95, side: THREE.DoubleSide });
      const skin = new THREE.Mesh(surface(terrain), ground);
      skin.receiveShadow = true;
      const line = new THREE.LineBasicMaterial({ color: "#5f6b52", transparent: true, opacity: 0.35 });
      const lines = new THREE.LineSegments(gridLines(terrain, 0.02 * Math.min(...terrain.spacing)), line);
      for (const object of [skin, lines]) object.raycast = () => {};
      this.skins.push(skin);
      group.add(skin, lines);
      place(group, terrain.at);
      mechanism.figures[terrain.body]!.add(group);
      return group;
    });
  }

  get any(): boolean {
    return this.groups.length > 0;
  }

  // Height of the highest terrain over a point of the world, read back from the scene.
  heightAt(x: number, y: number): number | null {
    const down = new THREE.Raycaster(new THREE.Vector3(x, y, 1e4), new THREE.Vector3(0, 0, -1));
    const hits: THREE.Intersection[] = [];
    for (const skin of this.skins) {
      skin.updateWorldMatrix(true, false);
      THREE.Mesh.prototype.raycast.call(skin, down, hits);
    }
    return hits.length > 0 ? Math.max(...hits.map((hit) => hit.point.z)) : null;
  }

  show(visible: boolean): void {
    for (const group of this.groups) group.visible = visible;
  }
}
