// Figure of one body: its own shapes or, if none are given, sticks between its attachment points and its center of
// mass, and the ellipsoid of equal inertia.
import * as THREE from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { Body, Mesh, Placement, Shape, Vector } from "./data";

export const palette = ["#4f7cac", "#e08e45", "#5b9f71", "#a77bb5", "#cf5c6a", "#4fa3a5", "#c2a23a", "#8c7868"];
const groundColour = "#97a4b3";

export function bodyColour(index: number): string {
  return index === 0 ? groundColour : palette[(index - 1) % palette.length]!;
}

function paint(colour: THREE.ColorRepresentation, opacity = 1): THREE.MeshStandardMaterial {
  const isGlass = opacity < 1;
  return new THREE.MeshStandardMaterial({
    color: colour,
    roughness: 0.5,
    metalness: 0.08,
    transparent: isGlass,
    opacity,
    depthWrite: !isGlass,
  });
}

export function place(object: THREE.Object3D, at: Placement): void {
  object.position.set(at[0], at[1], at[2]);
  object.quaternion.set(at[3], at[4], at[5], at[6]);
}

// Cylinders and capsules of three.js stand along y; ours along z.
function standing(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

// Smooth shading, except at edges of more than about 30 degrees.
export function makeGeometry({ points, triangles }: Mesh): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
  return toCreasedNormals(geometry, 0.55);
}

function geometryOf(shape: Shape, meshes: THREE.BufferGeometry[]): THREE.BufferGeometry {
  const [a, b, c] = shape.size;
  switch (shape.kind) {
    case "mesh":
      return meshes[shape.mesh]!;
    case "box":
      return new THREE.BoxGeometry(a, b, c);
    case "sphere":
      return new THREE.SphereGeometry(a, 40, 24);
    case "capsule":
      return standing(new THREE.CapsuleGeometry(a, b, 12, 32));
    case "spokes":
      return spokes(a, b);
    case "cylinder":
    case "wheel":
      return standing(new THREE.CylinderGeometry(a, a, b, 48));
  }
}

// Without marks a rotating wheel would appear to stand still.
function spokes(radius: number, width: number): THREE.BufferGeometry {
  return new THREE.BoxGeometry(1.7 * radius, 0.12 * radius, 1.06 * width);
}

const up = new THREE.Vector3(0, 0, 1);

// A stick from one point to another.
function stick(from: THREE.Vector3, to: THREE.Vector3, radius: number, material: THREE.Material): THREE.Mesh {
  const along = to.clone().sub(from);
  const mesh = new THREE.Mesh(standing(new THREE.CylinderGeometry(radius, radius, along.length(), 20)), material);
  mesh.position.copy(from).addScaledVector(along, 0.5);
  mesh.quaternion.setFromUnitVectors(up, along.normalize());
  return mesh;
}
const vector = (a: Vector) => new THREE.Vector3(a[0], a[1], a[2]);

function shaped(shape: Shape, colour: string, meshes: THREE.BufferGeometry[]): THREE.Object3D {
  const own = shape.color;
  const painted = own
    ? paint(new THREE.Color().setRGB(own[0], own[1], own[2], THREE.SRGBColorSpace), own[3])
    : paint(colour);
  if (shape.kind === "spokes") {
    const hue = painted.color.getHSL({ h: 0, s: 0, l: 0 }, THREE.SRGBColorSpace);
    painted.color.offsetHSL(0, 0, hue.l < 0.3 ? 0.25 : -0.16); // a mark on a black tire is lighter
  }
  const mesh = new THREE.Mesh(geometryOf(shape, meshes), painted);
  if (shape.kind === "mesh") {
    mesh.scale.set(...shape.size);
    painted.side = THREE.DoubleSide; // surfaces in files are often open, or inside out
  }
  if (shape.kind === "wheel")
    mesh.add(new THREE.Mesh(spokes(shape.size[0], shape.size[1]), paint(new THREE.Color(colour).offsetHSL(0, 0, -0.16))));
  place(mesh, shape.at);
  return mesh;
}

function sticks(body: Body, colour: string, length: number): THREE.Object3D[] {
  const out: THREE.Object3D[] = [];
  const radius = 0.035 * length;
  const solid = paint(colour);
  const joint = paint("#f0b440");
  const near = 0.02 * length;
  const root = body.places[0] ? vector(body.places[0]) : null;
  const seen: THREE.Vector3[] = [];
  for (const at of body.places.map(vector)) {
    if (seen.some((other) => other.distanceTo(at) < near)) continue;
    seen.push(at);
    const ball = new THREE.Mesh(new THREE.SphereGeometry(1.45 * radius, 24, 16), joint);
    ball.position.copy(at);
    out.push(ball);
    if (root && root.distanceTo(at) > near) out.push(stick(root, at, radius, solid));
  }
  if (body.com) {
    const com = vector(body.com);
    const onStick = (end: THREE.Vector3) =>
      root !== null && new THREE.Line3(root, end).closestPointToPoint(com, true, new THREE.Vector3()).distanceTo(com) < near;
    if (root && root.distanceTo(com) > near && !seen.some(onStick)) out.push(stick(root, com, 0.55 * radius, solid));
    const ball = new THREE.Mesh(new THREE.SphereGeometry(1.2 * radius, 24, 16), solid);
    ball.position.copy(com);
    out.push(ball);
  }
  if (body.ellipsoid) {
    const { at, half } = body.ellipsoid;
    const egg = new THREE.Mesh(new THREE.SphereGeometry(1, 40, 24), paint(colour, 0.28));
    const least = 0.6 * radius; // a thin rod's ellipsoid is a line: make it visible
    egg.scale.set(Math.max(half[0], least), Math.max(half[1], least), Math.max(half[2], least));
    place(egg, at);
    out.push(egg);
  }
  return out;
}

// A foot where joints are attached to ground.
function feet(body: Body, length: number): THREE.Object3D[] {
  const material = paint(groundColour);
  return body.places.map((at) => {
    const foot = new THREE.Mesh(new THREE.SphereGeometry(0.045 * length, 24, 16), material);
    foot.position.copy(vector(at));
    return foot;
  });
}

// The body as a group whose frame is the body's own.
export function makeFigure(body: Body, index: number, length: number, meshes: THREE.BufferGeometry[]): THREE.Group {
  const group = new THREE.Group();
  group.name = body.name;
  const colour = bodyColour(index);
  for (const shape of body.shapes) group.add(shaped(shape, colour, meshes));
  // a wheel without a given shape does not replace the figure of the rest of its body
  if (body.shapes.every(({ kind }) => kind === "wheel"))
    for (const part of index === 0 ? feet(body, length) : sticks(body, colour, length)) group.add(part);
  group.traverse((object) => {
    object.userData["body"] = index;
    if (object instanceof THREE.Mesh) {
      const material = object.material as THREE.Material;
      const isGlass = material.transparent;
      // where faces of two bodies are coplanar, one body is drawn in front everywhere, without flicker
      material.polygonOffset = true;
      material.polygonOffsetUnits = -2 * (index % 4);
      object.castShadow = !isGlass;
      object.receiveShadow = !isGlass;
    }
  });
  return group;
}
