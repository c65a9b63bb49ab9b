// Bundles the command line, the public API, the isolate's worker, the runner of a project's own tools, the bridge to the desk, the forwarder of clients and the web page into dist/.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { tokenizer, tokTypes } from 'acorn';
import { build } from 'rolldown';
import { build as buildPage } from 'vite';
import { COMPILED_AGENTS, compileAgents } from '../src/formats/load-assets.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Opening a file costs a cold start more than the code in it. So what every command needs lies in one file, what drives
 * runs in a second, and what few commands need (models, prompts, the scripted model, the isolate) is loaded when used.
 */
const COMMAND_LINE =
  /\/src\/cli\/(command-line|program|command-table|changes-commands|looking-commands|serving-commands|start-options|help-topics|exit-code|invocation)\.ts$|\/src\/cli\/terminal\/(fault-text|terminal)\.ts$|\/src\/formats\/(registry\/cli|[^/]+\/cli\/[\w-]+-commands?)\.ts$|\/src\/app\/describe-error\.ts$|\/src\/protocol\/(plain-text|problem-text|checked-request)\.ts$|\/src\/core\/(model\/(fault|json)|codes\/[\w-]+)\.ts$|\/node_modules\/commander\//;
const ENGINE =
  /\/src\/(core|formats|host|journal|lib|protocol|sandbox|source|tools|workspace)\/|\/src\/app\/(config|clients|library|observers|runs|secrets|world)\/|\/src\/cli\/(session|terminal)\/|\/src\/cli\/commands\/run\.ts$|\/node_modules\/(acorn|js-yaml)\//;
const LATER =
  /\/src\/journal\/postgres\/|\/src\/host\/workers\/|\/src\/tools\/(own|mcp)\/|\/src\/formats\/stages\/(?!family|change-words|parse\/role-fallbacks)|\/src\/formats\/(registry\/app-views\.ts|[^/]+\/cli\/|review\/app\/)|\/src\/host\/desk\/|\/(ask-person|own-package|read-module|own-tools|project-tools|scripted-model|define-workflow|trace-writer)\.ts$/;

// npm runs `prepare` in a clone and for a package: it builds afresh and adds the types, which a later build leaves.
const isFresh = process.argv.includes('--fresh');
for (const name of existsSync(`${root}/dist`) ? readdirSync(`${root}/dist`) : []) {
  if (isFresh || name !== 'types') rmSync(`${root}/dist/${name}`, { recursive: true, force: true });
}

await build({
  cwd: root,
  input: {
    main: 'src/cli/main.ts',
    index: 'src/index.ts',
    stages: 'src/formats/stages/stages.ts',
  },
  platform: 'node',
  plugins: [lightBuiltins(), shortLines()],
  // For those who have a database: they stay where npm put them.
  external: [/^pg$/, /^@dbos-inc\//],
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    // All files lie side by side: the isolate looks for its worker beside itself.
    chunkFileNames: '[name]-[hash].js',
    minify: true,
    // What a program imports; the command line has a check of its own.
    banner: ({ name }) => (name === 'index' || name === 'stages' ? `import './refuse-old-node.js';` : ''),
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'command-line', test: COMMAND_LINE },
        // Its index names all languages, which lie in the other: the two would need each other.
        { name: 'zod', test: /\/node_modules\/zod\/v4\/(core|mini)\/(?!index)/ },
        { name: 'zod-classic', test: /\/node_modules\/zod\// },
        { name: 'engine', test: (id) => ENGINE.test(id) && !LATER.test(id) },
      ],
    },
  },
  logLevel: 'warn',
  // The public API names at once what the command line loads later.
  checks: { ineffectiveDynamicImport: false },
});

// Programs by themselves inside the sandbox: each all in one file, and with nothing of the engine.
const ALONE = {
  // No program: it must be read before the files of the engine, which an old Node cannot.
  'src/refuse-old-node.ts': 'refuse-old-node.js',
  'src/tools/own/runner.ts': 'own-tool-runner.js',
  'src/host/desk/bridge.ts': 'desk-bridge.js',
  // Before every turn of a client: in this format it loads a little sooner.
  'src/actors/clients/network/forwarder.ts': 'client-forwarder.cjs',
  // No program but a thread; it is started for every module of the user's and loads sooner all in one file.
  'src/formats/stages/programs/module-worker.ts': 'module-worker.js',
  // A thread too: it would read and compile all of the engine for the little that both need.
  'src/actors/script/worker.ts': 'worker.js',
};
for (const [input, name] of Object.entries(ALONE)) {
  await build({
    cwd: root,
    input,
    platform: 'node',
    output: { file: `dist/${name}`, format: name.endsWith('.cjs') ? 'cjs' : 'esm', minify: true, codeSplitting: false },
    logLevel: 'warn',
  });
}

// Files that need each other can load in an order in which neither works: a moved file that the patterns above no longer name is enough.
await import(`${root}dist/index.js`);
for (const name of readdirSync(`${root}dist`)) {
  if (/^(?:engine|command-line)-/.test(name)) await import(`${root}dist/${name}`);
}

writeFileSync(`${root}dist/${COMPILED_AGENTS}`, await compileAgents());

// The web page: what a browser gets from `troupe serve`.
await buildPage({ configFile: `${root}web/vite.config.ts`, configLoader: 'native', logLevel: 'warn' });
compressPage(`${root}dist/web`);

/** Copies beside each file of text, as `troupe serve` sends it; over plain HTTP browsers take gzip alone. Only what every visit loads is worth the slowest compression. */
function compressPage(folder) {
  const TEXT = /\.(?:js|css|html|svg|json|webmanifest)$/;
  const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_SIZE_HINT: SIZE } = constants;
  const html = readFileSync(`${folder}/index.html`, 'utf8');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const bytes = TEXT.test(path) ? readFileSync(`${folder}/${path}`) : Buffer.alloc(0);
    if (bytes.length < 1024) continue;
    const params = { [QUALITY]: html.includes(path) ? 11 : 9, [SIZE]: bytes.length };
    writeFileSync(`${folder}/${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${folder}/${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/**
 * `import … from 'node:fs'` makes Node read every property of the module, and some of them load streams and more. Asking
 * for the module itself does not. Starting a process is rare, so `spawn` looks for its module when it is called.
 */
function lightBuiltins() {
  const IMPORT = /^import \{([^}]*)\} from '(node:[^']+)';$/gm;
  const taken = (list) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '));
  return {
    name: 'light-builtins',
    transform(code, id) {
      if (!id.startsWith(`${root}src/`) || !code.includes("from 'node:")) return null;
      return code.replaceAll(IMPORT, (_, list, name) => {
        const builtin = `process.getBuiltinModule('${name}')`;
        const names = taken(list);
        if (names.join() === 'spawn') return `const spawn = (...words) => ${builtin}.spawn(...words);`;
        return `const { ${names.map((one) => one.replace(' as ', ': ')).join(', ')} } = ${builtin};`;
      });
    },
  };
}

/**
 * Node prints the line that an error was thrown in where a program does not catch it: all of the file, if that is one line.
 * A line may end after any semicolon or comma.
 */
function shortLines() {
  const LONGEST = 160;
  const ENDS = new Set([tokTypes.semi, tokTypes.comma]);
  const broken = (code) => {
    const cuts = [];
    for (const { type, end } of tokenizer(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }))
      if (ENDS.has(type) && end - (cuts.at(-1) ?? 0) > LONGEST) cuts.push(end);
    return [...cuts, code.length].map((cut, at) => code.slice(cuts[at - 1] ?? 0, cut)).join('\n');
  };
  return {
    name: 'short-lines',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = broken(chunk.code);
    },
  };
}
