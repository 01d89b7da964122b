// Encoded frames as a WebM file (Matroska elements, RFC 9559): one video track of VP8, a cluster per key frame.

export interface EncodedFrame {
  data: Uint8Array;
  time: number; // [ms], a whole number
  isKey: boolean;
}

type Part = Uint8Array | Part[];
const flat = (part: Part): Uint8Array[] => (part instanceof Uint8Array ? [part] : part.flatMap(flat));
const sizeOf = (part: Part): number => flat(part).reduce((sum, { length }) => sum + length, 0);

// An unsigned number in as many bytes as it needs, the first byte first.
function number(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}
// An element's size: eight bytes, of which the first marks the length.
function size(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(value / 2 ** 32));
  view.setUint32(4, value % 2 ** 32);
  bytes[0] = 0x01;
  return bytes;
}
const element = (id: number, content: Part): Part => [number(id), size(sizeOf(content)), content];
const text = (value: string) => new TextEncoder().encode(value);
function float(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

function block({ data, time, isKey }: EncodedFrame, start: number): Part {
  const head = new Uint8Array(4);
  head[0] = 0x81; // track 1
  new DataView(head.buffer).setInt16(1, time - start);
  head[3] = isKey ? 0x80 : 0;
  return element(0xa3, [head, data]);
}

function clusters(frames: EncodedFrame[]): Part[] {
  const starts = frames.flatMap(({ isKey }, k) => (isKey ? [k] : []));
  return starts.map((first, k) => {
    const own = frames.slice(first, starts[k + 1]);
    const start = own[0]!.time;
    return element(0x1f43b675, [element(0xe7, number(start)), own.map((frame) => block(frame, start))]);
  });
}

// The first frame must be a key frame. `duration` [ms].
export function webm(frames: EncodedFrame[], width: number, height: number, duration: number): Blob {
  const head = element(0x1a45dfa3, [
    element(0x4286, number(1)), // EBML version, that needed to read, longest ids and sizes
    element(0x42f7, number(1)),
    element(0x42f2, number(4)),
    element(0x42f3, number(8)),
    element(0x4282, text("webm")),
    element(0x4287, number(4)),
    element(0x4285, number(2)),
  ]);
  const info = element(0x1549a966, [element(0x2ad7b1, number(1_000_000)), element(0x4489, float(duration)), element(0x4d80, text("Trammel")), element(0x5741, text("Trammel"))]);
  const picture = element(0xe0, [element(0xb0, number(width)), element(0xba, number(height))]);
  const track = element(0xae, [element(0xd7, number(1)), element(0x73c5, number(1)), element(0x83, number(1)), element(0x86, text("V_VP8")), picture]);
  const segment = element(0x18538067, [info, element(0x1654ae6b, track), ...clusters(frames)]);
  return new Blob(flat([head, segment]) as BlobPart[], { type: "video/webm" });
}
