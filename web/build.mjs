// Builds the web client into dist/ (or another folder): scripts and styles bundled, a chunk for each page and each language,
// names with a hash of the content so that they may be cached for ever, and a .br and .gz beside every file that gains by it.
//
//     node build.mjs [--wasm FILE] [--out FOLDER]

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundle } from './bundle.mjs';
import { iconPng } from './icon.mjs';

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

/** Every address that was written, for the service worker. */
const addresses = [];

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

function putAsset(name, content) {
  put(join(assets, name), content);
  addresses.push(`/assets/${name}`);
  return `/assets/${name}`;
}

/** Writes a file under a name that its content gives it; returns its address. */
function putHashed(name, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
  const extension = extname(name);
  return putAsset(`${name.slice(0, -extension.length)}-${hash}${extension}`, content);
}

/** What browsers understand, and how sources are written. */
const how = {
  target: ['es2020', 'chrome90', 'firefox90', 'safari15'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
};

const whole = { ...how, bundle: true, write: false, outdir: assets, minify: true };

/** A style with everything that it imports. */
async function style(path) {
  return (await build({ ...whole, entryPoints: [join(here, path)] })).outputFiles[0].text;
}

/** One script that stands alone, as workers do. */
async function alone(entry, define = {}) {
  const result = await build({ ...whole, entryPoints: [join(here, 'src', entry)], format: 'iife', define });
  return result.outputFiles[0].text;
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

const languages = readdirSync(join(here, 'src/words/lang')).map((name) => basename(name, '.ts'));
const wasmUrl = putHashed('merels.wasm', wasm);
const workerUrl = putHashed('search.js', await alone('worker/search.ts'));
const styleUrl = putHashed('main.css', await style('src/style/page.css'));
const onlineStyleUrl = putHashed('online.css', await style('src/online/online.css'));
const chunks = await bundle(join(here, 'src/main.tsx'), how, {
  WASM_URL: JSON.stringify(wasmUrl),
  WORKER_URL: JSON.stringify(workerUrl),
  ONLINE_STYLE: JSON.stringify(onlineStyleUrl),
  LANGUAGES: JSON.stringify(languages),
});
for (const { name, text } of chunks) putAsset(name, text);

/** A chunk, and all that it needs at once. */
function withImports(name, all = new Set()) {
  if (all.has(name)) return all;
  all.add(name);
  for (const other of chunks.find((chunk) => chunk.name === name).imports) withImports(other, all);
  return all;
}

const main = chunks.find(({ module }) => module?.endsWith('src/main.tsx')).name;
const script = `/assets/${main}`;
const ahead = [...withImports(main)].filter((name) => name !== main).map((name) => `/assets/${name}`);
const icon = putHashed('icon.svg', readFileSync(join(here, 'src/icon.svg')));
const icons = [180, 192, 512].map((size) => ({ size, url: putHashed(`icon${size}.png`, iconPng(size)) }));

const index = readFileSync(join(here, 'src/index.html'), 'utf8')
  .replaceAll('%SCRIPT%', script)
  .replaceAll('%STYLE%', styleUrl)
  .replaceAll('%WASM%', wasmUrl)
  .replaceAll('%ICON%', icon)
  .replaceAll('%ICON180%', icons[0].url)
  .replace('</head>', `${ahead.map((file) => `  <link rel="modulepreload" href="${file}" />\n  `).join('')}</head>`);
put(join(out, 'index.html'), index);
// Whatever address is none of the server's own is for the client to explain.
put(join(out, '404.html'), index);

const manifest = {
  name: 'Merels',
  short_name: 'Merels',
  description: 'Nine men’s morris and its whole family.',
  id: '/',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#f3efe7',
  theme_color: '#f3efe7',
  icons: [
    ...icons.map(({ size, url }) => ({ src: url, sizes: `${size}x${size}`, type: 'image/png', purpose: 'any maskable' })),
    { src: icon, sizes: 'any', type: 'image/svg+xml' },
  ],
};
put(join(out, 'manifest.webmanifest'), JSON.stringify(manifest));

const version = createHash('sha256').update([...addresses, index].join()).digest('hex').slice(0, 12);
const keep = ['/', '/manifest.webmanifest', ...addresses];
put(join(out, 'sw.js'), await alone('worker/offline.ts', { VERSION: JSON.stringify(version), KEEP: JSON.stringify(keep) }));
