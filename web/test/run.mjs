// Runs test suites: bundles each test/NAME.test.ts for Node and gives them to Node's own test runner.
//
//     node test/run.mjs NAME... [--again] [--test-name-pattern=WORD]
//
// With --again what failed is tried once more, and that is said: a browser on a busy machine can be late.
//
// What the tests need is told by the environment: MERELS_WASM (the core), MERELS_PROGRAM (the program), MERELS_DIST (the
// built client), MERELS_VECTORS (the folder of vectors).

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const again = process.argv.includes('--again');
const options = process.argv.slice(2).filter((word) => word.startsWith('--') && word !== '--again');
if (names.length === 0) {
  console.error('Which suites? For example: node test/run.mjs units vectors');
  process.exit(2);
}

// Inside node_modules, so that the bundles find the packages.
const cache = join(here, '../node_modules/.merels');
mkdirSync(cache, { recursive: true });
const languages = readdirSync(join(here, '../src/words/lang')).map((name) => basename(name, '.ts'));
const folder = mkdtempSync(join(cache, 'tests-'));
try {
  await build({
    entryPoints: names.map((name) => join(here, `${name}.test.ts`)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    packages: 'external',
    sourcemap: 'inline',
    loader: { '.txt': 'text' },
    define: { LANGUAGES: JSON.stringify(languages) },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
  const files = names.map((name) => join(folder, `${name}.test.mjs`));
  const run = () =>
    spawnSync(process.execPath, ['--enable-source-maps', '--test', ...options, ...files], { stdio: 'inherit' }).status ?? 1;
  let status = run();
  if (status !== 0 && again) {
    console.log('# Something failed, see above. Once more:');
    status = run();
  }
  process.exitCode = status;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
