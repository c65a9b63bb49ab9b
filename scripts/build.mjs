// Bundles the command line, the public API and the isolate's worker into dist/.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Opening a file costs a cold start more than the code in it, so what is always used together lies together, and what
 * few commands need (models, prompts, the scripted model, the isolate) stays apart and is loaded when it is used.
 */
const FIRST =
  /\/src\/cli\/(command-line|program|command-table|help-topics|exit-code)\.ts$|\/src\/cli\/terminal\/(fault-text|plain-text|terminal)\.ts$|\/src\/core\/fault\.ts$|\/node_modules\/commander\//;
const ENGINE =
  /\/src\/(core|dialects|host|journal|lib|protocol|tools)\/|\/src\/cli\/(session|config|terminal)\/|\/node_modules\/(acorn|js-yaml)\//;
const LATER = /\/(ask-person|own-package|own-tools|completion-values|detach)\.ts$|\/dialects\/native\//;

rmSync(`${root}/dist`, { recursive: true, force: true });

await build({
  cwd: root,
  input: {
    main: 'src/cli/main.ts',
    index: 'src/index.ts',
    worker: 'src/actors/script/worker.ts',
  },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  // Loads its WebAssembly from a file beside itself, so it stays where npm put it.
  external: [/^quickjs-emscripten-core$/, /^@jitl\//],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    // All files lie side by side: the isolate looks for its worker beside itself.
    chunkFileNames: '[name]-[hash].js',
    minify: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'command-line', test: FIRST },
        { name: 'zod', test: /\/node_modules\/zod\/v4\/(core|mini)\// },
        { name: 'zod-classic', test: /\/node_modules\/zod\// },
        { name: 'engine', test: (id) => ENGINE.test(id) && !LATER.test(id) },
        { name: 'workspace', test: /\/src\/workspace\// },
        {
          name: 'scripted',
          test: /\/src\/actors\/scripted\/(?!scripted-server|scripted-caller|send-outcome|openai|anthropic|wire)/,
        },
      ],
    },
  },
  logLevel: 'warn',
  // The public API names at once what the command line loads later.
  checks: { ineffectiveDynamicImport: false },
});
