// Bundles the command line, the public API and the isolate's worker into dist/.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

rmSync(`${root}/dist`, { recursive: true, force: true });

await build({
  cwd: root,
  input: {
    main: 'src/cli/main.ts',
    index: 'src/index.ts',
    worker: 'src/actors/script/worker.ts',
  },
  platform: 'node',
  // All files lie side by side: the isolate looks for its worker beside itself.
  // Loads its WebAssembly from a file beside itself, so it stays where npm put it.
  external: [/^quickjs-emscripten-core$/, /^@jitl\//],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  },
  logLevel: 'warn',
});
