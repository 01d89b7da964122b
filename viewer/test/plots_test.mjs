// The page of plots in a real browser, from disk: q.swing = sin(2 t) and v.swing = 2 cos(2 t), 301 samples of 0.01 s.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { near, open, pictures } from "./page.mjs";

const degrees = 180 / Math.PI;
const ask = (page, question) => page.evaluate((name) => window.trammel[name](), question);
// Value of the first series in the legend of the first plot [rad].
const reading = async (page) => Number(await page.locator(".legend output").first().textContent()) / degrees;

test("every column has its line, each unit a plot of its own", async () => {
  const { page, wellBehaved } = await open("plots");
  assert.deepEqual(await ask(page, "plottedSeries"), ["q.swing", "q.still", "v.swing"]);
  assert.equal(await page.locator(".u-over").count(), 2);
  assert.deepEqual(await page.locator(".chart h3 .unit").allTextContents(), ["deg", "deg/s"]);
  assert.deepEqual(await ask(page, "timeRanges"), [[0, 3], [0, 3]]);
  const [[low, high]] = await ask(page, "plotRanges");
  near([low, high], [-1.12 * degrees, 1.12 * degrees], 1e-3 * degrees, "the sine and some air"); // 6 % of its height, both ways
  const taken = await page.screenshot({ path: join(pictures, "plots.png") });
  assert.ok(taken.length > 20000, "the picture is empty");
  wellBehaved();
});

test("a drag zooms all plots, a double click shows all again", async () => {
  const { page, wellBehaved } = await open("plots");
  const plots = page.locator(".u-over");
  const box = await plots.first().boundingBox();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 40, { steps: 5 });
  await page.mouse.up();
  const pixel = 3 / box.width;
  for (const range of await ask(page, "timeRanges")) near(range, [1.5, 2.25], 2 * pixel, "zoomed");
  const [[low, high]] = await ask(page, "plotRanges");
  assert.ok(high - low < 2 * degrees, "values fill the height again"); // sin from 3 to 4.5: from 0.14 to -1
  await plots.first().dblclick();
  assert.deepEqual(await ask(page, "timeRanges"), [[0, 3], [0, 3]]);
  wellBehaved();
});

test("the pointer reads values, and the line does when it has left", async () => {
  const { page, wellBehaved } = await open("plots");
  const box = await page.locator(".u-over").first().boundingBox();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 40);
  const under = await page.locator(".chart .when").first().textContent();
  near([Number(under.match(/t = (\S+) s/)[1])], [1.2], 0.011, "time under the pointer"); // the nearest sample
  const time = Number(under.match(/t = (\S+) s/)[1]);
  near([await reading(page)], [Math.sin(2 * time)], 1e-4, "value under the pointer"); // five digits
  await page.mouse.move(5, 5);
  await page.evaluate(() => window.trammel.setTime(2));
  near([await reading(page)], [Math.sin(4)], 1e-4, "value at the line");
  await page.keyboard.press("ArrowRight");
  near([await ask(page, "time")], [2.01], 1e-12, "one sample on");
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 40);
  near([await ask(page, "time")], [1.5], 6 / box.width, "a click puts the line");
  wellBehaved();
});

test("light and dark, wide and narrow", async () => {
  const { page, wellBehaved } = await open("plots", { colorScheme: "dark", viewport: { width: 390, height: 844 } });
  assert.equal(await ask(page, "theme"), "dark");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.screenshot({ path: join(pictures, "plots_dark_narrow.png") });
  await page.getByRole("button", { name: "Switch to light" }).click();
  assert.equal(await ask(page, "theme"), "light");
  wellBehaved();
});

test("names that try to break out stay names; one sample; none", async () => {
  const { page, wellBehaved } = await open("plots_odd");
  assert.equal(await page.title(), "</script><b>odd</b>");
  assert.deepEqual(await ask(page, "seriesNames"), ["</script><b>x</b>", "with a gap"]);
  assert.equal(await page.locator("b").count(), 0);
  wellBehaved();
  const none = await open("plots_empty");
  assert.match(await none.page.locator("header").textContent(), /nothing was recorded/);
  await none.page.keyboard.press("ArrowRight");
  none.wellBehaved();
});

test("a browser without scripts shows the pictures", async () => {
  const { page, wellBehaved } = await open("plots", { javaScriptEnabled: false });
  assert.equal(await page.locator("svg").count(), 2);
  assert.ok(await page.locator("svg").first().isVisible());
  wellBehaved();
});
