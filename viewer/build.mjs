// Bundles the page's script and style, and writes both into a C++ source file: node build.mjs OUTPUT.cpp
import { build } from "esbuild";
import { writeFileSync } from "node:fs";

const output = process.argv[2] ?? "viewer_page.cpp";
const result = await build({
  entryPoints: ["src/main.ts"],
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
const text = (suffix) => result.outputFiles.find((file) => file.path.endsWith(suffix)).text;

// Inside a page, "</script" and "<!--" would end or hide the script; esbuild spells the first apart.
const script = text(".js").replaceAll("<!--", "\\x3c!--");
if (/<\/script/i.test(script)) throw new Error("the bundle has '</script' in it");

// A raw string of any length; the delimiter is one that no program writes.
const literal = (value) => {
  if (value.includes(')page~"')) throw new Error("the bundle has the delimiter of raw strings in it");
  return `R"page~(${value})page~"`;
};
writeFileSync(
  output,
  `// Made from the folder viewer/ by its build.mjs.
#include "trammel/write/report/viewer_page.hpp"

namespace trammel {

ViewerPage viewer_page() {
  return {${literal(script)},
          ${literal(text(".css"))},
          ""};
}

}  // namespace trammel
`,
);
