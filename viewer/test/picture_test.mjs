// What a report shows at first, its paths, labels, angles and events, of a vehicle on a circle of 1 m: its yaw is the time
// in radians (report_samples.cpp, write_tour).
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { near, open, pictures } from "./page.mjs";

const ask = (page, question) => page.evaluate((name) => window.trammel[name](), question);
const at = (page, time) => page.evaluate((t) => window.trammel.setTime(t), time);

test("the plots begin with what moves and is driven, without quaternions and zeros", async () => {
  const { page, wellBehaved } = await open("tour");
  const shown = await ask(page, "plottedSeries");
  for (const name of ["q.base.yaw", "q.shoulder", "tau.shoulder", "energy.kinetic", "energy.total"]) assert.ok(shown.includes(name), `${name} is not in ${shown}`);
  for (const name of ["tau.idle", "q.idle", "energy.gravity", "q.base.pitch"]) assert.ok(!shown.includes(name), `${name} is always 0`);
  const unitless = await page.evaluate(() => [...document.querySelectorAll(".chart h3 .unit")].filter((unit) => unit.textContent === "").length);
  assert.equal(unitless, 0, "quaternion components are plotted");
  await page.screenshot({ path: join(pictures, "tour.png") });
  wellBehaved();
});

test("yaw is that of the quaternion and goes on beyond half a turn; degrees or radians", async () => {
  const { page, wellBehaved } = await open("tour");
  await page.evaluate(() => window.trammel.plotSeries(["q.base.yaw"]));
  const reading = async () => Number(await page.locator(".legend output").first().textContent());
  const unit = () => page.locator(".chart h3 .unit").first().textContent();
  for (const time of [1, 4, 7.5]) {
    await at(page, time);
    near([await reading()], [(time * 180) / Math.PI], 0.01, `yaw at ${time} s`); // five digits
  }
  assert.equal(await unit(), "deg");
  const [[low, high]] = await ask(page, "plotRanges");
  near([low, high], [-0.06 * 458.37, 1.06 * 458.37], 0.1, "range in degrees");
  await page.getByRole("button", { name: "rad", exact: true }).click();
  assert.equal(await unit(), "rad");
  near([await reading()], [7.5], 1e-3, "yaw in rad");
  assert.equal(await page.getByRole("button", { name: "rad", exact: true }).getAttribute("aria-pressed"), "true");
  wellBehaved();
});

test("a line that lies on another one is dashed", async () => {
  const { page, wellBehaved } = await open("tour"); // without potential energy the total is the kinetic energy
  assert.deepEqual(await ask(page, "dashedSeries"), ["energy.total"]);
  wellBehaved();
});

test("paths of named frames are shown until they are switched off", async () => {
  const { page, wellBehaved } = await open("tour");
  assert.deepEqual(await ask(page, "tracedPoints"), ["hand"]);
  const paths = page.getByRole("button", { name: "Paths" });
  assert.equal(await paths.getAttribute("aria-pressed"), "true");
  await paths.click();
  assert.deepEqual(await ask(page, "tracedPoints"), []);
  await page.getByRole("tab", { name: "Bodies" }).click();
  const box = page.getByRole("checkbox", { name: /Show the path of the center of mass: arm/ });
  await box.setChecked(true); // that alone
  assert.deepEqual(await ask(page, "tracedPoints"), ["arm"]);
  assert.equal(await paths.getAttribute("aria-pressed"), "true");
  await paths.click();
  assert.equal(await box.isChecked(), false);
  wellBehaved();
  const none = await open("four_bar"); // it has no frames
  assert.equal(await none.page.getByRole("button", { name: "Paths" }).getAttribute("aria-pressed"), "false");
  await none.page.getByRole("button", { name: "Paths" }).click();
  assert.deepEqual(await ask(none.page, "tracedPoints"), ["crank", "coupler", "rocker"]);
  none.wellBehaved();
});

test("names and numbers of forces do not cover one another", async () => {
  const { page, wellBehaved } = await open("tour");
  await page.getByRole("button", { name: "Names" }).click();
  await page.getByRole("button", { name: "Forces" }).click();
  assert.match(await page.locator(".keys").textContent(), /longest of the run is 10\.3 kN \(shoulder\)/);
  for (const time of [0, 1.3, 4]) {
    await at(page, time);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const tags = await page.evaluate(() =>
      [...document.querySelectorAll(".name-tag:not([hidden])")].map((tag) => {
        const { left, right, top, bottom } = tag.getBoundingClientRect();
        return { text: tag.textContent, left, right, top, bottom };
      }),
    );
    const texts = tags.map(({ text }) => text).sort();
    assert.deepEqual(texts, ["arm", "chassis", "idle 5.15 kN", "mast", "sensor", "shoulder 10.3 kN"]);
    for (const [k, a] of tags.entries())
      for (const b of tags.slice(0, k)) assert.ok(a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom, `${a.text} covers ${b.text} at ${time} s`);
  }
  await page.screenshot({ path: join(pictures, "tour_labels.png") });
  wellBehaved();
});

test("the camera goes along with a vehicle that leaves its place", async () => {
  const { page, wellBehaved } = await open("tour");
  assert.equal(await ask(page, "isFollowing"), true);
  const box = await page.locator(".picture").boundingBox();
  for (const time of [0, 2, 5]) {
    await at(page, time);
    const { x, y } = await page.evaluate(() => window.trammel.bodyOnPage("chassis"));
    assert.ok(Math.abs(x - box.x - box.width / 2) < 0.15 * box.width && Math.abs(y - box.y - box.height / 2) < 0.15 * box.height, `${x}, ${y} at ${time} s`);
  }
  wellBehaved();
});

test("a given path is named, and shown whole", async () => {
  const { page, wellBehaved } = await open("tour_along_path");
  assert.match(await page.locator(".keys").textContent(), /desired path/);
  assert.equal(await ask(page, "isFollowing"), false);
  const box = await page.locator(".picture").boundingBox();
  for (const time of [0, 1.6, 3.1, 4.7]) {
    await at(page, time);
    const { x, y } = await page.evaluate(() => window.trammel.bodyOnPage("chassis"));
    assert.ok(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height, `${x}, ${y} at ${time} s`);
  }
  await page.screenshot({ path: join(pictures, "tour_along_path.png") });
  wellBehaved();
});

test("events that repeat are one line, which opens to all of them", async () => {
  const { page, wellBehaved } = await open("tour");
  await page.getByRole("tab", { name: "Model" }).click();
  assert.equal(await page.locator(".events > li").count(), 2);
  const summary = page.locator(".events summary");
  assert.match(await summary.textContent(), /1 s.*hand hits the stop.*6 times, last at 6 s/);
  assert.equal(await page.getByText("hand hits the stop: 3.5 J lost").isVisible(), false);
  await summary.click();
  await page.getByText("hand hits the stop: 3.5 J lost").click();
  assert.equal(await ask(page, "time"), 4);
  wellBehaved();
});

test("a video of the motion plays in a browser", async () => {
  const { page, wellBehaved } = await open("one_sample", { viewport: { width: 480, height: 270 } });
  const text = await ask(page, "film");
  assert.equal(Buffer.from(text, "base64").subarray(0, 4).toString("hex"), "1a45dfa3"); // EBML
  const player = await open("plots"); // whose policy allows no media: a page without one
  await player.page.goto("about:blank");
  const [width, height, seconds] = await player.page.evaluate(async (base64) => {
    const video = document.createElement("video");
    video.muted = true;
    video.src = `data:video/webm;base64,${base64}`;
    await new Promise((done, failed) => {
      video.onloadeddata = done;
      video.onerror = () => failed(new Error(video.error.message));
    });
    return [video.videoWidth, video.videoHeight, video.duration];
  }, text);
  assert.deepEqual([width, height], [480, 270]);
  near([seconds], [0.04], 1e-6, "one frame of 25 a second");
  wellBehaved();
});
