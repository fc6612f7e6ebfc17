// Assembles the package's scripts from the page's modules and from src/: `make npm` runs it, and writes first what it reads.
// Usage: node build.mjs PAGE MADE OUT ESBUILD, four folders.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const [page, made, out, esbuildFolder] = argv.slice(2).map((folder) => resolve(folder));
const { build: bundle } = await import(pathToFileURL(join(esbuildFolder, "node_modules/esbuild/lib/main.js")).href);
const source = join(dirname(fileURLToPath(import.meta.url)), "src");

// The page's modules that the package has in a version of its own, or not at all.
const REPLACED = {
  "common/api.js": "api.js",
  "common/share.js": "absent.js",
  "common/file-drop.js": "absent.js",
  "common/storage.js": "storage.js",
  "core/core-files.js": "core-files.js",
  "learn/practice.js": "absent.js",
  "match/setup.js": "absent.js",
  "review/explanation-dialog.js": "absent.js",
  "review/explorer.js": "absent.js",
};
const replacements = new Map(Object.entries(REPLACED).map(([name, by]) => [join(page, "js", name), join(source, by)]));

const places = {
  name: "places",
  setup(build) {
    build.onResolve({ filter: /^(page|made)\// }, ({ path }) => {
      const [where, ...rest] = path.split("/");
      return atPlace(join(where === "page" ? join(page, "js") : made, ...rest));
    });
    // The page's files beside its scripts are not there, and a bundler would look for them.
    build.onLoad({ filter: /\.js$/ }, ({ path }) =>
      path.startsWith(page) ? { contents: readFileSync(path, "utf8").replaceAll("import.meta.url", '""') } : null,
    );
    build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => atPlace(resolve(resolveDir, path)));
  },
};

const atPlace = (path) => ({ path: replacements.get(path) ?? path });

const SHARED = {
  bundle: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  minify: true,
  platform: "neutral",
  plugins: [places],
  target: "es2022",
};

/** The text of a thread's script, which stands alone. */
async function threadScript(kind) {
  const entryPoints = [join(source, `${kind}-thread.js`)];
  const { outputFiles } = await bundle({ ...SHARED, entryPoints, format: "iife", write: false });
  return outputFiles[0].text;
}

const scripts = { worker: await threadScript("worker"), helper: await threadScript("helper") };
writeFileSync(join(made, "threads.js"), `export default ${JSON.stringify(scripts)};\n`);
for (const [kind, text] of Object.entries(scripts)) writeFileSync(join(out, `connectk.${kind}.js`), text);

const scripted = {
  ...SHARED,
  entryPoints: ["index.js", "board.js", "no-board.js"].map((name) => join(source, name)),
  define: { MADE_WORKER_SCRIPT: JSON.stringify(scripts.worker), MADE_HELPER_SCRIPT: JSON.stringify(scripts.helper) },
  format: "esm",
  splitting: true,
  chunkNames: "connectk-[hash]",
  outdir: out,
};

// Only texts whose keys stand in some script, whole or with a part that is filled in: `label.${kind}`.
const { outputFiles } = await bundle({ ...scripted, write: false });
const code = outputFiles.map(({ text }) => text).join("\n");
const keys = new Set(Array.from(code.matchAll(/["'`]([a-z_]+(?:\.\w+)+)["'`]/g), ([, key]) => key));
const starts = Array.from(code.matchAll(/`([a-z_]+\.[\w.]*)\$\{/g), ([, start]) => start);
const isNeeded = (key) => keys.has(key) || starts.some((start) => key.startsWith(start));
for (const [language, texts] of Object.entries(JSON.parse(readFileSync(join(made, "texts.json"), "utf8")))) {
  const needed = Object.fromEntries(Object.entries(texts).filter(([key]) => isNeeded(key)));
  writeFileSync(join(made, `texts-${language}.js`), `export default ${JSON.stringify(needed)};\n`);
}
await bundle(scripted);
