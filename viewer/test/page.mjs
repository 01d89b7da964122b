// Pages of the folder TRAMMEL_REPORTS, which tests/browser/report_samples has filled, in a real browser.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const folder = process.env.TRAMMEL_REPORTS;
const program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
export const pictures = join(folder, "pictures");
let browser;

before(async () => {
  assert.ok(program, "no Chromium here: install Debian's package chromium (./dev test --all does)");
  mkdirSync(pictures, { recursive: true });
  browser = await chromium.launch({
    executablePath: program,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
});
after(() => browser?.close());

// Opens one of them; its console messages and its network requests are recorded.
export async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, colorScheme: "light", ...options });
  context.setDefaultTimeout(120000); // software rendering on a busy machine
  const page = await context.newPage();
  const complaints = [];
  const asked = [];
  page.on("console", (message) => {
    // a message of Chromium about its software renderer, not of the page
    if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader/i.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => (complaints.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) asked.push(request.url());
  });
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
  if (options.javaScriptEnabled !== false) await page.waitForFunction(() => window.trammel !== undefined);
  const wellBehaved = () => {
    assert.deepEqual(complaints, []);
    assert.deepEqual(asked, []);
  };
  return { page, wellBehaved };
}

export function near(found, wanted, tolerance, what) {
  wanted.forEach((x, k) => assert.ok(Math.abs(found[k] - x) <= tolerance, `${what}: ${found} is not ${wanted}`));
}
