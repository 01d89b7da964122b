// Reports in a real browser, from disk: compares the displayed scene with the data.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, near, open, pictures } from "./page.mjs";

// Software rendering is slow to start: tests that leave the page as they found it share one.
const shared = new Map();
function report(name, options = {}) {
  const key = JSON.stringify([name, options]);
  if (!shared.has(key)) shared.set(key, open(name, options));
  return shared.get(key);
}

// Screenshots of the page, stored next to the reports.
async function picture(page, name) {
  await page.evaluate(() => window.trammel.setTime(0.6));
  const taken = await page.screenshot({ path: join(pictures, `${name}.png`) });
  assert.ok(taken.length > 20000, "the picture is empty");
}

// Rows of the CSV next to a report: { sample, time, body, at }.
function rows(name) {
  const lines = readFileSync(join(folder, `${name}.csv`), "utf8").trim().split("\n").slice(1);
  return lines.map((line) => {
    const [sample, time, body, ...at] = line.split(",");
    return { sample: Number(sample), time: Number(time), body, at: at.map(Number) };
  });
}

for (const name of ["four_bar", "six_axis_arm", "humanoid"])
  test(`${name}: bodies are where the data says`, async () => {
    const { page, wellBehaved } = await report(name);
    const data = rows(name);
    const last = data.at(-1).sample;
    assert.ok(await page.evaluate(() => window.trammel.hasPicture()), "no WebGL");
    const moved = new Set();
    for (const sample of [0, Math.round(0.37 * last), last]) {
      const bodies = data.filter((row) => row.sample === sample);
      await page.evaluate((time) => window.trammel.setTime(time), bodies[0].time);
      for (const { body, at } of bodies) {
        const found = await page.evaluate((one) => window.trammel.bodyPosition(one), body);
        near(found, at, 1e-6 * Math.max(1, ...at.map(Math.abs)), `${body} at sample ${sample}`); // single precision
        moved.add(JSON.stringify([body, found]));
      }
    }
    if (name !== "six_axis_arm") await picture(page, name);
    assert.ok(moved.size > data.filter((row) => row.sample === 0).length, "nothing moved");
    wellBehaved();
  });

test("meshes of files are as large as their files and scales say", async () => {
  const { page, wellBehaved } = await report("meshes");
  // perpendicular to the axis of the body's joint, which is drawn too and longer than the body
  const across = async (name, axes) => {
    const [least, most] = await page.evaluate((one) => window.trammel.bodyBox(one), name);
    return axes.flatMap((k) => [least[k], most[k]]);
  };
  const fine = 0.7 / 65535; // points lie on a grid
  near(await across("ring", [0, 2]), [-0.35, 0.35, -0.05, 0.05], fine, "ring");
  near(await across("house", [0, 1]), [-0.2, 0.2, -0.15, 0.15], fine, "house");
  near(await across("oval", [0, 1]), [-0.35, 0.35, -0.05, 0.05], fine, "oval, turned about x");
  const [, farthest] = await across("bare", [0]); // sticks, to its center of mass
  assert.ok(farthest > 0.3, `no sticks: ${farthest}`);
  await picture(page, "meshes");
  wellBehaved();
});

test("between samples a body is between", async () => {
  const { page, wellBehaved } = await report("four_bar");
  const data = rows("four_bar").filter(({ body }) => body === "coupler");
  const [a, b] = [data[40], data[41]];
  await page.evaluate((time) => window.trammel.setTime(time), (a.time + b.time) / 2);
  const found = await page.evaluate(() => window.trammel.bodyPosition("coupler"));
  near(found, a.at.map((x, k) => (x + b.at[k]) / 2), 1e-6, "coupler");
  const turn = await page.evaluate(() => window.trammel.bodyRotation("coupler"));
  near([Math.hypot(turn[0], turn[1], turn[2])], [1], 1e-6, "length of the x axis");
  wellBehaved();
});

test("plots: the right series, chosen by name, with values that follow the slider", async () => {
  const { page, wellBehaved } = await report("four_bar");
  const all = await page.evaluate(() => window.trammel.seriesNames());
  for (const name of ["q.motor", "v.motor", "energy.total"]) assert.ok(all.includes(name), name);
  assert.ok((await page.evaluate(() => window.trammel.plottedSeries())).includes("q.motor"));

  await page.getByText(/^Choose from \d+ quantities$/).click();
  await page.getByRole("searchbox").fill("v.*");
  const shown = await page.locator(".quantities label:visible").allTextContents();
  assert.ok(shown.length > 0 && shown.every((text) => text.startsWith("v.")), shown.join());
  await page.getByRole("searchbox").fill("no such thing");
  assert.ok(await page.getByText("No recorded quantity has such a name.").isVisible());
  await page.getByRole("searchbox").fill("v.knee");
  const box = page.getByRole("checkbox", { name: /v\.knee/ });
  await box.setChecked(true);
  assert.ok((await page.evaluate(() => window.trammel.plottedSeries())).includes("v.knee"));
  await box.setChecked(false);
  assert.ok(!(await page.evaluate(() => window.trammel.plottedSeries())).includes("v.knee"));

  // the angle in the legend equals the crank's angle in the scene
  const before = await page.evaluate(() => window.trammel.plottedSeries());
  await page.evaluate(() => (window.trammel.plotSeries(["q.motor"]), window.trammel.setTime(0.05)));
  const angle = (Number(await page.locator(".legend output").first().textContent()) * Math.PI) / 180;
  const turn = await page.evaluate(() => window.trammel.bodyRotation("crank"));
  near([Math.cos(angle), -Math.sin(angle)], [turn[0], turn[2]], 1e-3, "crank"); // the legend has five digits
  await page.evaluate((names) => window.trammel.plotSeries(names), before);
  await page.getByText(/^Choose from \d+ quantities$/).click();
  wellBehaved();
});

test("slider, plots and keys tell one time", async () => {
  const { page, wellBehaved } = await report("four_bar");
  const time = () => page.evaluate(() => window.trammel.time());
  const slider = page.getByRole("slider", { name: "Time" });
  await slider.fill("1.5");
  near([await time()], [1.5], 1e-9, "time after the slider");
  for (const shown of await page.evaluate(() => window.trammel.plotTimes())) near([shown], [1.5], 0.02, "line in a plot"); // a pixel

  const plot = page.locator(".u-over").first();
  const box = await plot.boundingBox();
  await page.mouse.click(box.x + 0.25 * box.width, box.y + 0.5 * box.height);
  near([await time()], [0.75], 0.02, "time after a click in the plot");
  near([Number(await slider.inputValue())], [await time()], 1e-6, "slider after a click in the plot");

  await page.locator(".picture canvas").focus();
  await page.keyboard.press("Home");
  assert.equal(await time(), 0);
  await page.keyboard.press("ArrowRight");
  near([await time()], [0.01], 1e-9, "one sample on");
  await page.keyboard.press("End");
  near([await time()], [3], 1e-9, "the end");
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  assert.ok(await page.evaluate(() => window.trammel.isPlaying()));
  await page.waitForFunction(() => window.trammel.time() > 0.1);
  await page.keyboard.press(" ");
  const stopped = await time();
  await page.waitForTimeout(200);
  assert.equal(await time(), stopped);

  await page.getByRole("button", { name: /^Go to: the crank lies along x/ }).first().click();
  assert.notEqual(await time(), stopped);
  wellBehaved();
});

test("zoom is shared by all plots and undone by a double click", async () => {
  const { page, wellBehaved } = await report("four_bar");
  const plots = page.locator(".u-over");
  assert.ok((await plots.count()) >= 2);
  await page.evaluate(() => window.trammel.setTime(1.5));
  const seen = () => page.locator(".playhead:visible").count();
  assert.equal(await seen(), await plots.count());
  const box = await plots.first().boundingBox();
  await page.mouse.move(box.x + 0.7 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.9 * box.width, box.y + 40, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelectorAll(".playhead:not([hidden])").length === 0); // 1.5 s is outside
  assert.equal(await page.evaluate(() => window.trammel.time()), 1.5); // a drag is no click
  await plots.first().dblclick();
  await page.waitForFunction((n) => document.querySelectorAll(".playhead:not([hidden])").length === n, await plots.count());
  wellBehaved();
});

test("a click on a body selects it and tells its facts", async () => {
  const { page, wellBehaved } = await report("four_bar");
  const at = await page.evaluate(() => window.trammel.bodyOnPage("rocker"));
  await page.mouse.click(at.x, at.y);
  await page.waitForFunction(() => window.trammel.selected() !== null, undefined, { timeout: 10_000 });
  assert.equal(await page.evaluate(() => window.trammel.selected()), "rocker");
  assert.match(await page.locator(".details").textContent(), /rocker.*mass.*0\.45 kg/s);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => window.trammel.selected()), null);
  await page.getByRole("button", { name: "coupler", exact: true }).click();
  assert.equal(await page.evaluate(() => window.trammel.selected()), "coupler");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Plots" }).click();
  wellBehaved();
});

test("light and dark, by the system and by the switch", async () => {
  const shade = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const { page, wellBehaved } = await report("four_bar", { colorScheme: "dark" });
  assert.equal(await page.evaluate(() => window.trammel.theme()), "dark");
  const dark = await shade(page);
  await picture(page, "four_bar_dark");
  await page.getByRole("button", { name: "Switch to light" }).click();
  assert.equal(await page.evaluate(() => window.trammel.theme()), "light");
  const light = await shade(page);
  assert.notEqual(light, dark);
  await page.getByRole("button", { name: "Switch to dark" }).click();
  assert.equal(await shade(page), dark);
  const other = await report("four_bar");
  assert.equal(await other.page.evaluate(() => window.trammel.theme()), "light");
  assert.equal(await shade(other.page), light);
  wellBehaved();
});

test("the camera goes along with what goes far, until Follow is let go", async () => {
  const { page, wellBehaved } = await report("far");
  const follow = page.getByRole("button", { name: "Follow" });
  assert.equal(await follow.getAttribute("aria-pressed"), "true");
  const box = await page.locator(".picture").boundingBox();
  const onPage = (time) => page.evaluate((t) => (window.trammel.setTime(t), window.trammel.bodyOnPage("cart")), time);
  const isInTheMiddle = ({ x, y }) => Math.abs(x - box.x - box.width / 2) < 0.1 * box.width && Math.abs(y - box.y - box.height / 2) < 0.1 * box.height;
  for (const time of [0, 3, 10]) assert.ok(isInTheMiddle(await onPage(time)), `at ${time} s`);
  await picture(page, "far");
  await follow.click();
  assert.ok(!isInTheMiddle(await onPage(3)), "it drives away");
  await page.getByRole("button", { name: "Fit" }).click();
  for (const time of [0, 10]) {
    const at = await onPage(time); // its whole path is in the picture
    assert.ok(at.x > box.x && at.x < box.x + box.width && at.y > box.y && at.y < box.y + box.height, `at ${time} s`);
  }
  wellBehaved();
  const still = await report("four_bar");
  assert.equal(await still.page.evaluate(() => window.trammel.isFollowing()), false);
  assert.equal(await still.page.getByRole("button", { name: "Follow" }).getAttribute("aria-pressed"), "false");
});

test("rounding is drawn flat beside what is large", async () => {
  const { page, wellBehaved } = await report("far");
  await page.evaluate(() => window.trammel.plotSeries(["sideways"]));
  const [[low, high]] = await page.evaluate(() => window.trammel.plotRanges());
  near([low, high], [-3, 3], 1e-9, "range about the middle"); // half of the neighboring 6 m/s
  for (const time of [0, 1, 2.5]) {
    await page.evaluate((t) => window.trammel.setTime(t), time);
    assert.equal(await page.locator(".legend output").first().textContent(), "0");
  }
  wellBehaved();
});

test("hills lie where their height says, and no floor beside them", async () => {
  const { page, wellBehaved } = await report("hills");
  for (const x of [0.3, 1.1, 1.9]) {
    const height = await page.evaluate((x) => window.trammel.terrainHeight(x, 0), x);
    assert.ok(Math.abs(height - 0.2 * Math.sin(2 * x)) < 1e-3, `height ${height} at ${x}`); // triangles of 4 cm
  }
  assert.equal(await page.evaluate(() => window.trammel.isFloorShown()), false);
  await picture(page, "hills");
  wellBehaved();
});

test("names that try to break out stay names", async () => {
  const { page, wellBehaved } = await report("odd");
  const bodies = await page.evaluate(() => window.trammel.bodies());
  assert.deepEqual(bodies, ["ground", "box </script>", 'ball "b"', "cylinder é", "capsule\\n", "bare"]);
  assert.equal(await page.title(), '</script><script>alert(1)</script> "quoted" & Größe Ω');
  assert.equal(await page.locator("b, img").count(), 0);
  assert.match(await page.locator(".badge").textContent(), /^audit: loop violation$/);
  await picture(page, "odd");
  await page.evaluate(() => window.trammel.plotSeries(["with a gap"])); // a value that is not finite
  wellBehaved();
});

test("the badge is green only where nothing is in question", async () => {
  const shade = (page) => page.locator(".badge").evaluate((badge) => getComputedStyle(badge).backgroundColor.match(/\d+/g).map(Number));
  const good = await report("swing");
  assert.equal(await good.page.locator(".badge").textContent(), "audit: all good");
  const [red, green] = await shade(good.page);
  assert.ok(green > red, "not green");
  for (const [name, text] of [["limit_passed", /^audit: 1 limit passed$/], ["odd", /^audit: loop violation$/]]) {
    const { page, wellBehaved } = await report(name);
    assert.match(await page.locator(".badge").textContent(), text);
    const [r, g, b] = await shade(page);
    assert.ok(r > g && g > b, `${name}: ${r}, ${g}, ${b} is not amber`);
    wellBehaved();
  }
  good.wellBehaved();
});

test("up is against gravity", async () => {
  const { page, wellBehaved } = await report("swing"); // gravity along -y, it hangs from its pivot
  const at = (time) => page.evaluate((t) => (window.trammel.setTime(t), window.trammel.bodyOnPage("bob")), time);
  const hanging = await at(0);
  const swung = await at(0.4); // about 35 degrees to the side: higher
  assert.ok(swung.y < hanging.y - 5, `${swung.y} is not above ${hanging.y}`);
  wellBehaved();
});

test("one sample, or none", async () => {
  const one = await report("one_sample");
  assert.ok(await one.page.getByRole("slider", { name: "Time" }).isDisabled());
  await one.page.keyboard.press(" ");
  assert.equal(await one.page.evaluate(() => window.trammel.isPlaying()), false);
  near(await one.page.evaluate(() => window.trammel.bodyPosition("rocker")), [0.5, 0, 0], 1e-6, "rocker");
  one.wellBehaved();
  const none = await report("no_sample");
  assert.ok(await none.page.getByText("Nothing was recorded").isVisible());
  await none.page.keyboard.press("ArrowRight");
  none.wellBehaved();
});

test("on a narrow screen nothing lies outside", async () => {
  const { page, wellBehaved } = await report("four_bar", { viewport: { width: 390, height: 844 } });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.ok(await page.getByRole("button", { name: "Play" }).isVisible());
  await picture(page, "four_bar_narrow");
  wellBehaved();
});
