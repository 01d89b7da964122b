// The motion as a video (WebM): every frame of the picture is drawn at its time and encoded, however long that takes.
import { short } from "./dom";
import type { Player } from "./player";
import type { Stage } from "./stage";
import type { Themes } from "./theme";
import { type EncodedFrame, webm } from "./webm";

const rate = 25; // frames a second
const [shortest, longest] = [3, 10]; // duration of the video [s]

// Times real time, by 1, 2 or 5 times a power of ten, so that the video lasts 3 to 10 s.
export function filmSpeed(duration: number): number {
  const steps = (k: number) => [1, 2, 5][((k % 3) + 3) % 3]! * 10 ** Math.floor(k / 3);
  let k = 0;
  while (duration > 0 && duration / steps(k) < shortest * (1 - 1e-9)) --k;
  while (duration / steps(k) > longest * (1 + 1e-9)) ++k;
  return steps(k);
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

export async function film(player: Player, stage: Stage, themes: Themes, title: string): Promise<Blob> {
  document.documentElement.classList.add("film"); // the picture alone, as large as the window
  for (let k = 0; k < 3; ++k) await nextFrame();
  player.setTime(player.first);
  stage.look("fit");
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * Math.floor(stage.canvas.width / 2), 2 * Math.floor(stage.canvas.height / 2)];
  const context = canvas.getContext("2d")!;
  const speed = filmSpeed(player.end - player.first);
  const frames: EncodedFrame[] = [];
  let failure: unknown = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ data, time: Math.round(chunk.timestamp / 1000), isKey: chunk.type === "key" });
    },
    error: (error) => (failure = error),
  });
  encoder.configure({ codec: "vp8", width: canvas.width, height: canvas.height, bitrate: 4_000_000, framerate: rate });
  const count = Math.max(1, Math.round(((player.end - player.first) / speed) * rate) + 1);
  for (let k = 0; k < count && failure === null; ++k) {
    player.setTime(player.first + (k * speed) / rate);
    stage.draw();
    context.fillStyle = themes.colour("--page");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(stage.canvas, 0, 0);
    context.fillStyle = themes.colour("--text");
    context.font = `${Math.round(canvas.height / 36)}px system-ui, sans-serif`;
    const pace = speed === 1 ? "" : `, ${short(speed)} times real time`;
    context.fillText(`${title}   t = ${player.time.toFixed(2)} s${pace}`, canvas.height / 36, canvas.height / 20);
    const frame = new VideoFrame(canvas, { timestamp: Math.round((k * 1e6) / rate), duration: 1e6 / rate });
    encoder.encode(frame, { keyFrame: k % 50 === 0 });
    frame.close();
    while (encoder.encodeQueueSize > 4) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await encoder.flush();
  encoder.close();
  document.documentElement.classList.remove("film");
  if (failure !== null) throw failure;
  return webm(frames, canvas.width, canvas.height, (1000 * count) / rate);
}

// The same as text (base64), for a program that controls the page.
export async function filmAsText(player: Player, stage: Stage, themes: Themes, title: string): Promise<string> {
  const bytes = new Uint8Array(await (await film(player, stage, themes, title)).arrayBuffer());
  let text = "";
  for (let k = 0; k < bytes.length; k += 3 * 4096) text += btoa(String.fromCharCode(...bytes.subarray(k, k + 3 * 4096)));
  return text;
}
