// Three agents write the same function, two review it and debate, and a person picks the best: a real run with real files and
// tests, on a scripted model that is spoken to over HTTP like any other. It can be watched and steered on a page. Needs no key
// and no network; leaves a folder behind that can be looked at.
//
// On a terminal, or with --stay, the page stays until Ctrl-C. Anywhere else nobody could pick, so the best one is found by the
// reviewers' ranking, and the demo ends by itself. A page beside a run ends with it where nobody sits, so with --stay there the
// page is a server of its own.
import { spawn, spawnSync } from 'node:child_process';
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
const demo = join(root, 'examples/demo');
const program = join(root, 'bin/troupe.js');
const isTerminal = process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY;
const stays = process.argv.includes('--stay') || isTerminal;
const folder = mkdtempSync(join(tmpdir(), 'troupe-demo-'));
const project = join(folder, 'project');
const results = join(folder, 'results');
const environment = { ...process.env, TROUPE_HOME: join(folder, 'home') };

cpSync(join(demo, 'project'), project, { recursive: true });
mkdirSync(join(project, '.troupe/workflows'), { recursive: true });
const scenario = join(project, '.troupe/review.yaml');
const answers = readFileSync(join(demo, 'review.yaml'), 'utf8');
// The pace is for somebody who looks on; --at-once goes without it.
writeFileSync(
  scenario,
  stays && !process.argv.includes('--at-once')
    ? answers
    : answers.replaceAll(/^ +(delay_ms|pace_ms|chunk): \d+\n/gm, ''),
);
const workflow = readFileSync(join(demo, 'slug_review.yaml'), 'utf8');
writeFileSync(
  join(project, '.troupe/workflows/slug_review.yaml'),
  stays ? workflow : workflow.replace('pick: person', 'pick: ranking'),
);
const model = await startModel();
writeConfig(['provider: openai-compatible', `base_url: ${model.url}/v1`, 'model: scripted']);
makeRepository();

console.log(
  'Three agents write the same function and two review it. Every step goes into the journal as it happens.\n',
);
const words = [
  'run',
  'slug_review',
  'Add a function slug(title) that makes a web address of a title',
  '--sandbox',
  'best',
];
const page = stays && !isTerminal ? await startPage() : null;
const beside = page === null ? ['--web'] : [];
// On a machine without a sandbox the demo runs all the same, and says so: its model only says what stands in a file.
const code = await troupe([...words, ...(stays ? beside : ['--no-input', '--out', results])]);
if (page !== null) console.log('\nThe page stays open until Ctrl-C. The question is answered there.');
await page?.ended;
model.stop();
// The server of the model ends with the demo. What is tried afterwards asks the same model inside the process.
writeConfig(['provider: scripted', 'scenario: .troupe/review.yaml']);
if (!stays && code !== 0) process.exit(code);
if (!stays) {
  console.log('\nWhat was merged:\n');
  console.log(readFileSync(join(results, 'src/slug.js'), 'utf8'));
  await troupe(['list']);
}
console.log(`
Look at it again:
  cd ${project}
  export TROUPE_HOME=${environment.TROUPE_HOME}
  node ${program} serve          the page: who did what, the debate, the changes; fork it from any step
  node ${program} show last      where the run stands, what it cost, which states it went through
  node ${program} debate last    who found what, and what the others said
  node ${program} logs last      every word and every tool call

In a project of your own:
  npm link                          here, once: makes "troupe" available everywhere
  troupe init                       there: a configuration, a workflow and roles to change
  troupe chat                       one agent at a time
`);
process.exit(page !== null || (stays && code === 130) ? 0 : code);

/** Three levels of the same model, with prices of their own. */
function writeConfig(lines) {
  const prices = { fast: 'input: 1, output: 4', base: 'input: 2, output: 8', smart: 'input: 3, output: 15' };
  const levels = Object.entries(prices).flatMap(([level, price]) => [
    `  ${level}:`,
    ...lines.map((line) => `    ${line}`),
    `    price: { ${price} }`,
  ]);
  writeFileSync(join(project, '.troupe/config.yaml'), ['models:', ...levels, ''].join('\n'));
}

/** So that the result is a branch. Without git it is a patch, and all else is the same. */
function makeRepository() {
  const person = ['-c', 'user.name=demo', '-c', 'user.email=demo@example.invalid', '-c', 'commit.gpgsign=false'];
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    [...person, 'commit', '-q', '-m', 'A small project'],
  ])
    spawnSync('git', words, { cwd: project, stdio: 'ignore' });
}

/** The scripted model as a process of its own. */
async function startModel() {
  const { child, url } = await startServer(['script-model', '--port', '0', '--scenario', scenario]);
  return { url, stop: () => child.kill() };
}

/** The page as a process of its own, until somebody ends the demo. */
async function startPage() {
  const { child, url } = await startServer(['serve']);
  const { promise: ended, resolve } = Promise.withResolvers();
  child.on('exit', resolve);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill());
  console.log(`See it at: ${url}\n`);
  return { ended };
}

/** A command that says where it listens, stopped by its id. */
async function startServer(words) {
  const child = spawn(process.execPath, [program, ...words, '--json'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
    // Ctrl-C is for the run; what serves it is stopped when that has ended.
    detached: true,
  });
  process.on('exit', () => child.kill());
  for await (const line of createInterface({ input: child.stdout })) return { child, url: JSON.parse(line).url };
  throw new Error(`troupe ${words[0]} did not start.`);
}

async function troupe(words) {
  // The run hears Ctrl-C itself; here it is only waited for.
  process.on('SIGINT', () => undefined);
  const child = spawn(process.execPath, [program, ...words], { cwd: project, env: environment, stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill());
  const { promise, resolve } = Promise.withResolvers();
  child.on('exit', (status) => resolve(status ?? 1));
  return await promise;
}
