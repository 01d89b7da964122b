// Data of the page, written by trammel/write: one JSON text; long columns of numbers are base64 of little-endian
// bytes.
import { withAngles } from "./orientation";

export type Vector = [number, number, number];
export type Placement = [number, number, number, number, number, number, number]; // x y z, quaternion x y z w
export type Fact = [string, string];

export interface Shape {
  kind: "box" | "sphere" | "cylinder" | "capsule" | "wheel" | "spokes" | "mesh"; // spokes: marks on a cylinder that is a wheel
  size: Vector; // box: edges; sphere: radius; mesh: its scale; the others, along z: radius, length
  at: Placement;
  color: [number, number, number, number] | null;
  mesh: number; // index in the report's meshes, or -1
}
export interface Mesh {
  file: string;
  points: Float32Array; // three numbers each
  triangles: Uint32Array; // three points each
}
export interface Body {
  name: string;
  facts: Fact[];
  shapes: Shape[];
  places: Vector[]; // attachment points of joints and constraints, the inboard joint first
  com: Vector | null;
  ellipsoid: { at: Placement; half: Vector } | null; // of equal inertia and mass
  poses: Float32Array; // seven numbers per sample, or seven in all if it never moves
}
export interface JointAxis {
  joint: string;
  body: number;
  at: Vector;
  axis: Vector;
  slides: boolean;
}
export interface Frame {
  name: string;
  body: number;
  at: Placement;
}
export interface Link {
  name: string;
  kind: "rod" | "spring" | "bushing" | "user_force";
  ends: [{ body: number; at: Vector }, { body: number; at: Vector }];
}
export interface Terrain {
  name: string;
  body: number; // body of the terrain
  at: Placement; // its plane on the body
  start: [number, number]; // x and y of the first height [m]
  spacing: [number, number];
  count: number; // of heights, each way
  heights: Float32Array; // for each x, along y
}
export interface Series {
  name: string;
  unit: string;
  group: string;
  natural: number; // magnitude of the values: a series whose range is only rounding relative to it is drawn flat
  values: Float64Array;
  isQuaternion?: boolean; // a component whose yaw, pitch and roll are shown instead
}
export interface Arrow {
  name: string;
  body: number;
  at: Float32Array; // three numbers per sample, world axes
  force: Float32Array;
}
export interface Path {
  name: string; // "desired path"
  points: Float32Array; // three numbers each, world axes
}
export interface AuditLine {
  name: string;
  value: string;
  good: boolean;
}
export interface Moment {
  time: number;
  text: string;
}
export interface Report {
  title: string;
  up: Vector; // against gravity, of length 1
  floor: number | null; // height of the ground under wheels, along up [m]
  model: string;
  length: number; // characteristic length of the mechanism [m]
  travels: boolean; // nothing holds it near a place: a vehicle, a floating body
  driven: string[]; // names of joints with a drive or an input
  bodies: Body[];
  axes: JointAxis[];
  frames: Frame[];
  links: Link[];
  terrains: Terrain[];
  meshes: Mesh[];
  times: Float64Array;
  series: Series[];
  arrows: Arrow[];
  paths: Path[];
  audit: AuditLine[];
  moments: Moment[];
  facts: Fact[];
}

// Series alone: data of the page of plots, written by trammel/write/plots_page.cpp.
export interface PlotsPage {
  title: string;
  times: Float64Array;
  series: Series[];
}

function bytes(base64: string): ArrayBuffer {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) out[k] = text.charCodeAt(k);
  return out.buffer;
}
const doubles = (base64: string) => new Float64Array(bytes(base64));
const floats = (base64: string) => new Float32Array(bytes(base64));

// The same report, columns still as text.
type AsText<T> = { [K in keyof T]: T[K] extends Float32Array | Float64Array ? string : T[K] };
type WrittenReport = Omit<AsText<Report>, "bodies" | "series" | "arrows" | "paths" | "terrains" | "meshes"> & {
  meshes: WrittenMesh[];
  terrains: AsText<Terrain>[];
  bodies: AsText<Body>[];
  series: AsText<Series>[];
  arrows: AsText<Arrow>[];
  paths: AsText<Path>[];
};

// Points lie on a grid: low + step * grid, axis by axis.
interface WrittenMesh {
  file: string;
  low: Vector;
  step: Vector;
  points: string;
  triangles: string;
  leftOut: number;
}
function readMesh({ file, low, step, points, triangles }: WrittenMesh): Mesh {
  const grid = new Uint16Array(bytes(points));
  const placed = Float32Array.from(grid, (steps, k) => low[k % 3]! + step[k % 3]! * steps);
  return { file, points: placed, triangles: new Uint32Array(bytes(triangles)) };
}

const readSeries = (written: AsText<Series>[]): Series[] => withAngles(written.map((series) => ({ ...series, values: doubles(series.values) })));

export function readPlots(text: string): PlotsPage {
  const written = JSON.parse(text) as Omit<AsText<PlotsPage>, "series"> & { series: AsText<Series>[] };
  return { ...written, times: doubles(written.times), series: readSeries(written.series) };
}

export function readReport(text: string): Report {
  const written = JSON.parse(text) as WrittenReport;
  return {
    ...written,
    times: doubles(written.times),
    bodies: written.bodies.map((body) => ({ ...body, poses: floats(body.poses) })),
    terrains: written.terrains.map((terrain) => ({ ...terrain, heights: floats(terrain.heights) })),
    meshes: written.meshes.map(readMesh),
    series: readSeries(written.series),
    paths: written.paths.map((path) => ({ ...path, points: floats(path.points) })),
    arrows: written.arrows.map((arrow) => ({ ...arrow, at: floats(arrow.at), force: floats(arrow.force) })),
  };
}
