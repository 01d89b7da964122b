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
  legalComments: "inline", // the licences of three.js and uPlot travel with their code
  logLevel: "warning",
  outdir: "bundle",
  write: false,
});
const text = (file) => result.outputFiles.find(({ path }) => path.endsWith(`/${file}`)).text;

// Inside a page, "</script" and "<!--" would end or hide the script; esbuild spells the first apart.
function safeScript(file) {
  const script = text(file).replaceAll("<!--", "\\x3c!--");
  if (/<\/script/i.test(script)) throw new Error(`${file} has '</script' in it`);
  return script;
}

// A raw string of any length; the delimiter is one that no program writes.
const literal = (value) => {
  if (value.includes(')page~"')) throw new Error("the bundle has the delimiter of raw strings in it");
  return `R"page~(${value})page~"`;
};
// As a Content-Security-Policy names what a page may run: of the bytes between the tags.
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
