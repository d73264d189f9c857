// Builds what the portal serves: one stylesheet, one script and the few lines that ask for it, one icon, and what the
// desk has beyond them, each named by its content.
// The same sources give the same names and bytes. Classes that no template and no script mentions are left out,
// so a class name is always written whole, or is one of KEPT.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build, transform } from "esbuild";
import { PurgeCSS } from "purgecss";
import { compile } from "sass";

const HERE = dirname(fileURLToPath(import.meta.url));
const BUILT = join(HERE, "built");
const READERS = [join(HERE, "../templates/**/*.html"), join(HERE, "portal.js"), join(HERE, "desk.js"), join(HERE, "js/*.js")];
const KEPT = [/^(tag|notice|track)--/, /^date__/, /^is-(short|medium|wide|wrong|large)$/, /^usa-(input|textarea|select)$/, /^usa-button--outline$/];
const BROWSERS = ["chrome109", "safari15.4", "firefox115"];

async function styles(name) {
  const { css } = compile(join(HERE, name), {
    loadPaths: [join(HERE, "node_modules/@uswds/uswds/packages")],
    quietDeps: true,
  });
  const [used] = await new PurgeCSS().purge({
    content: READERS,
    css: [{ raw: css }],
    safelist: { standard: KEPT },
    blocklist: [/^usa-icon/, /^usa-media-link/, /^usa-button--(accent|base|big|inverse|secondary|unstyled|outline-inverse)/],
  });
  const { code } = await transform(used.css, { loader: "css", minify: true, legalComments: "none", target: BROWSERS });
  return Buffer.from(code);
}

async function bundle(name) {
  const { outputFiles } = await build({
    entryPoints: [join(HERE, name)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    legalComments: "none",
    target: BROWSERS,
  });
  return outputFiles[0].contents;
}

async function script() {
  // htmx as its makers minified it is a tenth smaller than what this bundler makes of it.
  const htmx = readFileSync(join(HERE, "node_modules/htmx.org/dist/htmx.min.js"));
  return Buffer.concat([htmx, Buffer.from("\n"), await bundle("portal.js")]);
}

function brotli(content) {
  return brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
}

function publish(name, content) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
  const [stem, ending] = name.split(".");
  const hashed = `${stem}.${hash}.${ending}`;
  writeFileSync(join(BUILT, hashed), content);
  writeFileSync(join(BUILT, `${hashed}.br`), brotli(content));
  writeFileSync(join(BUILT, `${hashed}.gz`), gzipSync(content, { level: 9 }));
  console.log(`${hashed}  ${content.length} bytes, ${brotli(content).length} as brotli`);
  return [name, hashed];
}

const [css, deskCss, start, js, deskJs] = await Promise.all([
  styles("portal.scss"),
  styles("desk.scss"),
  bundle("start.js"),
  script(),
  bundle("desk.js"),
]);
rmSync(BUILT, { recursive: true, force: true });
mkdirSync(BUILT, { recursive: true });
const manifest = Object.fromEntries([
  publish("icon.svg", readFileSync(join(HERE, "icon.svg"))),
  publish("portal.css", css),
  publish("desk.css", deskCss),
  publish("start.js", start),
  publish("portal.js", js),
  publish("desk.js", deskJs),
]);
writeFileSync(join(BUILT, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
