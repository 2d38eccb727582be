// The page's scripts as chunks: what the first pages need in one, one for each other page and each language, and what several
// of those share. esbuild reads each file, rollup puts them together: it knows that what a page is loaded by is there already,
// so that this is not cut into a piece for every set of pages that use it.

import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import dynamicImportVars from '@rollup/plugin-dynamic-import-vars';
import nodeResolve from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';

/** Reads TypeScript; a text is a module whose default is the text; a style is none of the scripts' business. */
function sources(how, define) {
  return {
    name: 'sources',
    load(id) {
      if (id.endsWith('.txt')) return `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`;
      if (id.endsWith('.css')) return { code: '', moduleSideEffects: false };
      return null;
    },
    async transform(code, id) {
      if (!/\.tsx?$/.test(id)) return null;
      const result = await transform(code, { ...how, define, loader: id.endsWith('x') ? 'tsx' : 'ts', sourcefile: id });
      return { code: result.code, map: null };
    },
    async renderChunk(code) {
      const result = await transform(code, { ...how, minify: true, format: 'esm' });
      return { code: result.code, map: null };
    },
  };
}

/**
 * Bundles what `entry` leads to. `how` is what esbuild is told of every file. Returns the chunks as { name, text, module,
 * imports }: the file's name, its text, the source that it is the chunk of (null: shared by several), and the names of the
 * chunks that it needs at once.
 */
export async function bundle(entry, how, define) {
  const all = await rollup({
    input: entry,
    plugins: [nodeResolve({ browser: true, extensions: ['.ts', '.tsx', '.mjs', '.js'] }), sources(how, define), dynamicImportVars()],
    preserveEntrySignatures: false,
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(message);
    },
  });
  const { output } = await all.generate({
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    experimentalMinChunkSize: 4000,
    hoistTransitiveImports: false,
  });
  await all.close();
  return output.map((chunk) => ({ name: chunk.fileName, text: chunk.code, module: chunk.facadeModuleId, imports: chunk.imports }));
}
