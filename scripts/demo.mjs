// A coder and a reviewer work on a small project, against a scripted model that is spoken to over HTTP like any other.
// Needs no key, no network and no terminal; leaves a folder behind that can be looked at.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
if (!existsSync(join(root, 'node_modules'))) {
  console.error('The dependencies are not installed: run npm ci first.');
  process.exit(2);
}
const program = join(root, 'bin/troupe.js');
const folder = mkdtempSync(join(tmpdir(), 'troupe-demo-'));
const project = join(folder, 'project');
const results = join(folder, 'results');
const environment = { ...process.env, TROUPE_HOME: join(folder, 'home') };

cpSync(join(root, 'examples/demo/project'), project, { recursive: true });
const model = await startModel();
mkdirSync(join(project, '.troupe'));
writeFileSync(
  join(project, '.troupe/config.yaml'),
  [
    'models:',
    '  base:',
    '    provider: openai-compatible',
    `    base_url: ${model.url}/v1`,
    '    model: scripted',
    '    price: { input: 1, output: 4 }',
    '',
  ].join('\n'),
);

console.log('A coder and a reviewer are asked for a function. Every step goes into the journal as it happens.\n');
const code = await troupe([
  'run',
  'coder_reviewer',
  'Add a function slug(title) that makes a web address of a title',
  '--no-input',
  // On a machine without a sandbox the demo runs all the same, and says so: its model only says what stands in a file.
  '--sandbox',
  'best',
  '--out',
  results,
]);
model.stop();
if (code !== 0) process.exit(code);

console.log('\nWhat they wrote:\n');
console.log(readFileSync(join(results, 'src/slug.js'), 'utf8'));
await troupe(['list']);
console.log(`
Look at it again:
  export TROUPE_HOME=${environment.TROUPE_HOME}
  npx troupe show last              where the run stands, what it cost, which states it went through
  npx troupe logs last              every word and every tool call
  npx troupe graph coder_reviewer   the workflow as a Mermaid diagram

In a project of your own:
  npm link                          here, once: makes "troupe" available everywhere
  troupe init                       there: a configuration, a workflow and roles to change
  troupe chat                       one agent at a time
`);

/** The scripted model as a process of its own, stopped by its id. */
async function startModel() {
  const words = ['script-model', '--port', '0', '--scenario', join(root, 'examples/demo/scenario.yaml'), '--json'];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  });
  process.on('exit', () => child.kill());
  for await (const line of createInterface({ input: child.stdout })) {
    return { url: JSON.parse(line).url, stop: () => child.kill() };
  }
  throw new Error('The scripted model did not start.');
}

async function troupe(words) {
  const child = spawn(process.execPath, [program, ...words], { cwd: project, env: environment, stdio: 'inherit' });
  const { promise, resolve } = Promise.withResolvers();
  child.on('exit', (status) => resolve(status ?? 1));
  return await promise;
}
