// Yaw, pitch and roll of recorded quaternions: the angles of R = Rz(yaw) Ry(pitch) Rx(roll), as `rpy` in model files.
import type { Series } from "./data";

// Ends of the names of the four components, w first.
const endings = [
  [".qw", ".qx", ".qy", ".qz"],
  ["[0]", "[1]", "[2]", "[3]"],
];

// Adds 2 pi where an angle jumps from one end of its range to the other.
function unwrap(angles: Float64Array): void {
  let turns = 0;
  let before = NaN;
  for (let k = 0; k < angles.length; ++k) {
    const now = angles[k]!;
    if (now - before > Math.PI) turns -= 1;
    else if (now - before < -Math.PI) turns += 1;
    if (Number.isFinite(now)) before = now;
    angles[k] = now + 2 * Math.PI * turns;
  }
}

function anglesOf(quaternion: Series[], stem: string): Series[] {
  const [w, x, y, z] = quaternion.map(({ values }) => values) as [Float64Array, Float64Array, Float64Array, Float64Array];
  const { group } = quaternion[0]!;
  return (["yaw", "pitch", "roll"] as const).map((angle) => {
    const values = new Float64Array(w.length);
    for (let k = 0; k < w.length; ++k) {
      const [a, b, c, d] = [w[k]!, x[k]!, y[k]!, z[k]!];
      const size = a * a + b * b + c * c + d * d;
      if (angle === "yaw") values[k] = Math.atan2(2 * (a * d + b * c), a * a + b * b - c * c - d * d);
      else if (angle === "roll") values[k] = Math.atan2(2 * (a * b + c * d), a * a - b * b - c * c + d * d);
      else values[k] = Math.asin(Math.min(Math.max((2 * (a * c - b * d)) / size, -1), 1));
    }
    if (angle !== "pitch") unwrap(values);
    return { name: `${stem}.${angle}`, unit: "rad", group, natural: Math.PI, values };
  });
}

// The series with those angles after each quaternion, whose components are marked.
export function withAngles(all: Series[]): Series[] {
  const found = new Map(all.map((series) => [`${series.group} ${series.name}`, series]));
  return all.flatMap((series) => {
    const parts = endings.find((four) => four.some((ending) => series.name.endsWith(ending)));
    if (!parts || series.unit !== "1") return [series];
    const stem = series.name.slice(0, -3);
    const quaternion = parts.flatMap((ending) => found.get(`${series.group} ${stem}${ending}`) ?? []);
    if (quaternion.length < 4 || quaternion.some(({ unit }) => unit !== "1")) return [series];
    series.isQuaternion = true;
    return quaternion[3] === series ? [series, ...anglesOf(quaternion, stem)] : [series];
  });
}
