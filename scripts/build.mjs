// Bundles the command line, the public API and the isolate's worker into dist/.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Opening a file costs a cold start more than the code in it. So what every command needs lies in one file, what drives
 * runs in a second, and what few commands need (models, prompts, the scripted model, the isolate) is loaded when used.
 */
const COMMAND_LINE =
  /\/src\/cli\/(command-line|program|command-table|help-topics|exit-code|invocation)\.ts$|\/src\/cli\/terminal\/(fault-text|plain-text|terminal)\.ts$|\/src\/core\/fault\.ts$|\/node_modules\/commander\//;
const ENGINE =
  /\/src\/(core|dialects|host|journal|lib|protocol|tools)\/|\/src\/cli\/(session|config|terminal)\/|\/src\/cli\/commands\/run\.ts$|\/src\/workspace\/(trust|run-place)\.ts$|\/node_modules\/(acorn|js-yaml)\//;
const LATER = /\/(ask-person|own-package|own-tools|completion-values|scripted-model|define-workflow)\.ts$/;

rmSync(`${root}/dist`, { recursive: true, force: true });

await build({
  cwd: root,
  input: {
    main: 'src/cli/main.ts',
    index: 'src/index.ts',
    worker: 'src/actors/script/worker.ts',
  },
  platform: 'node',
  plugins: [lightBuiltins()],
  // Loads its WebAssembly from a file beside itself, so it stays where npm put it.
  external: [/^quickjs-emscripten-core$/, /^@jitl\//],
  preserveEntrySignatures: 'allow-extension',
  treeshake: { propertyReadSideEffects: false },
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
        { name: 'command-line', test: COMMAND_LINE },
        { name: 'zod', test: /\/node_modules\/zod\/v4\/(core|mini)\// },
        { name: 'zod-classic', test: /\/node_modules\/zod\// },
        { name: 'engine', test: (id) => ENGINE.test(id) && !LATER.test(id) },
        { name: 'workspace', test: /\/src\/workspace\// },
      ],
    },
  },
  logLevel: 'warn',
  // The public API names at once what the command line loads later.
  checks: { ineffectiveDynamicImport: false },
});

/**
 * `import … from 'node:fs'` makes Node read every property of the module, and some of them load streams and more. Asking
 * for the module itself does not.
 */
function lightBuiltins() {
  return {
    name: 'light-builtins',
    resolveId: (id) => (id.startsWith('node:') ? { id: `\0${id}`, moduleSideEffects: false } : null),
    async load(id) {
      if (!id.startsWith('\0node:')) return null;
      const name = id.slice(1);
      const names = Object.keys(await import(name)).filter((key) => /^[\w$]+$/.test(key) && key !== 'default');
      const lines = names.map((key) => `const $${key} = builtin.${key};\nexport { $${key} as ${key} };`);
      return [`const builtin = process.getBuiltinModule('${name}');`, 'export default builtin;', ...lines].join('\n');
    },
  };
}
