// Builds the web client into dist/ (or another folder): scripts and styles bundled, names with a hash of the content so
// that they may be cached for ever, and a .br and .gz beside every file that gains by it.
//
//     node build.mjs [--wasm FILE] [--out FOLDER]

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const { values: given } = parseArgs({
  options: {
    wasm: { type: 'string', default: join(here, '../build/wasm/merels.wasm') },
    out: { type: 'string', default: join(here, 'dist') },
  },
});
const out = resolve(given.out);
const assets = join(out, 'assets');

const squeezable = new Set(['.html', '.js', '.css', '.svg', '.wasm', '.webmanifest']);

/** Writes a file and its compressed forms. */
function put(path, content) {
  const bytes = Buffer.from(content);
  writeFileSync(path, bytes);
  if (!squeezable.has(extname(path))) return;
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  if (brotli.length < bytes.length) writeFileSync(`${path}.br`, brotli);
  const gzip = gzipSync(bytes, { level: 9 });
  if (gzip.length < bytes.length) writeFileSync(`${path}.gz`, gzip);
}

/** Writes a file under a name that its content gives it; returns its address. */
function putHashed(name, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
  const extension = extname(name);
  const hashed = `${name.slice(0, -extension.length)}-${hash}${extension}`;
  put(join(assets, hashed), content);
  return `/assets/${hashed}`;
}

async function bundle(entry, define) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    write: false,
    outdir: assets,
    minify: true,
    format: 'iife',
    target: ['es2020', 'chrome90', 'firefox90', 'safari15'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    define,
    logLevel: 'warning',
  });
  const text = (extension) => result.outputFiles.find((file) => file.path.endsWith(extension))?.text ?? '';
  return { js: text('.js'), css: text('.css') };
}

let wasm;
try {
  wasm = readFileSync(given.wasm);
} catch {
  console.error(`${given.wasm} is not there: build it first with "make wasm", or say where it is with --wasm FILE.`);
  process.exit(1);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(assets, { recursive: true });

const wasmUrl = putHashed('merels.wasm', wasm);
const worker = await bundle('worker/search.ts', {});
const workerUrl = putHashed('search.js', worker.js);
const page = await bundle('main.tsx', {
  WASM_URL: JSON.stringify(wasmUrl),
  WORKER_URL: JSON.stringify(workerUrl),
});
const icon = putHashed('icon.svg', readFileSync(join(here, 'src/icon.svg')));

const index = readFileSync(join(here, 'src/index.html'), 'utf8')
  .replaceAll('%SCRIPT%', putHashed('main.js', page.js))
  .replaceAll('%STYLE%', putHashed('main.css', page.css))
  .replaceAll('%WASM%', wasmUrl)
  .replaceAll('%ICON%', icon);
put(join(out, 'index.html'), index);
