// Bundles script and style of each page, and writes them into a C++ source file: node build.mjs OUTPUT.cpp
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

const output = process.argv[2] ?? "viewer_page.cpp";
const pages = { report_viewer: "main", plots_viewer: "plots_page" }; // function of viewer_page.hpp: its source
const result = await build({
  entryPoints: Object.values(pages).map((source) => `src/${source}.ts`),
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2021",
  charset: "ascii",
  legalComments: "inline", // the licenses of three.js and uPlot stay with their code
  logLevel: "warning",
  outdir: "bundle",
  write: false,
});
const text = (file) => result.outputFiles.find(({ path }) => path.endsWith(`/${file}`)).text;

// Inside a page, "</script" and "<!--" would end or hide the script; esbuild escapes the first.
function safeScript(file) {
  const script = text(file).replaceAll("<!--", "\\x3c!--");
  if (/<\/script/i.test(script)) throw new Error(`${file} has '</script' in it`);
  return script;
}

// A raw string of any length; its delimiter does not occur in programs.
const literal = (value) => {
  if (value.includes(')page~"')) throw new Error("the bundle has the delimiter of raw strings in it");
  return `R"page~(${value})page~"`;
};
// Hash of a script for the Content-Security-Policy: of the bytes between the tags.
const hash = (value) => `"sha256-${createHash("sha256").update(value, "utf8").digest("base64")}"`;
const definitions = Object.entries(pages).map(
  ([name, source]) => {
    const [script, style] = [safeScript(`${source}.js`), text(`${source}.css`)];
    return `ViewerPage ${name}() {
  return {${literal(script)},
          ${literal(style)},
          "", ${hash(script)}, ${hash(style)}};
}
`;
  },
);
writeFileSync(
  output,
  `// Made from the folder viewer/ by its build.mjs.
#include "trammel/write/report/viewer_page.hpp"

namespace trammel {

${definitions.join("\n")}
}  // namespace trammel
`,
);
