// Kills processes of runs that ask, write, check and deliver, and counts what was lost: `npm run storm`, or a short one with
// `npm run storm -- --runs 6 --kills 12`. Questions are answered, and killed runs resumed, by other processes.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../bin/troupe.js', import.meta.url));
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    kills: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    sandbox: { type: 'string', default: 'best' },
  },
});
const [runs, kills] = [Number(values.runs), Number(values.kills)];

const WORKFLOW = `import { defineWorkflow } from 'troupe';
export const storm = defineWorkflow({
  name: 'storm', data: { colour: '' }, agents: { worker: {} },
  states: {
    start: { work: { kind: 'ask', question: "'Go on?'", choices: ['yes', 'no'] }, transitions: ['work'] },
    work: { work: { kind: 'turn', agent: 'worker', input: "'Write it'" }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
`;
const made = Array.from({ length: 20 }, (_, index) => `made/${index}.txt`);
const ANSWERS = `rules:
  - when: { state: work }
    steps:
${made.map((path) => `      - tools: [{ name: write_file, arguments: { path: ${path}, content: "made\\n" } }]`).join('\n')}
      - say: Written.
`;

let state = Number(values.seed);
/** The same numbers for the same seed. */
function random() {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

const found = { kills: 0, runs: 0, missing: 0, appliedTwice: 0, callsRepeated: 0 };
/** How long a process that is not killed took lately: kills fall anywhere within. */
let usualMs = 1500;

const work = async () => {
  while (found.runs < runs || found.kills < kills) {
    found.runs += 1;
    await storm();
  }
};
await Promise.all(Array.from({ length: Math.min(runs, 2) }, work));
process.stdout.write(`${JSON.stringify(found)}\n`);
process.exitCode = found.missing + found.appliedTwice + found.callsRepeated === 0 ? 0 : 1;

/** One run in a project and a home of its own, killed a few times, then driven to its end and counted. */
async function storm() {
  const base = mkdtempSync(join(tmpdir(), 'troupe-storm-'));
  try {
    const place = placeIn(base);
    const words = ['run', 'storm.ts', '--json', '--apply', '--verify', 'test -e made/19.txt'];
    const first = await troupe(place, words, false);
    const { run } = JSON.parse(first.split('\n', 1)[0]);
    for (let tries = 0; tries < 30; tries += 1) {
      const view = JSON.parse(await troupe(place, ['show', run, '--json'], false));
      if (view.status === 'settled' && view.delivery === undefined) break;
      const next = view.status === 'waiting' ? ['answer', run, 'yes'] : ['resume', run];
      await troupe(place, next, tries < 4);
    }
    count(place, await troupe(place, ['logs', run, '--json'], false));
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

function placeIn(base) {
  const [project, home] = [join(base, 'project'), join(base, 'home')];
  const files = {
    'storm.ts': WORKFLOW,
    'answers.yaml': ANSWERS,
    'kept.txt': 'kept\n',
    '.troupe/roles/roles.json': JSON.stringify({ worker: { level: 'base', systemMessage: 'You write files.' } }),
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  return { project, home };
}

/** Its standard output. One that may be killed is, at some moment of the time it would take. */
async function troupe({ project, home }, words, mayBeKilled) {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, TROUPE_HOME: home, TROUPE_SANDBOX: values.sandbox },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const timer = mayBeKilled ? setTimeout(() => child.kill('SIGKILL'), random() * usualMs) : null;
  const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
  clearTimeout(timer);
  if (signal === 'SIGKILL') found.kills += 1;
  else if (mayBeKilled) usualMs = 0.7 * usualMs + 0.3 * (performance.now() - began);
  return output;
}

function count({ project }, logs) {
  const records = logs
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const isWhole = made.every(
    (path) => existsSync(join(project, path)) && readFileSync(join(project, path), 'utf8') === 'made\n',
  );
  const whole = records.filter(
    ({ kind, tree, how }) => kind === 'project.changed' && how === 'applied' && tree !== undefined,
  );
  if (!isWhole || whole.length === 0) found.missing += 1;
  if (whole.length > 1) found.appliedTwice += 1;
  const calls = records.filter(({ kind }) => kind === 'call.answered').map(({ task, call }) => `${task}/${call}`);
  found.callsRepeated += calls.length - new Set(calls).size;
}
