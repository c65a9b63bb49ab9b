// Measures Troupe beside its peers in one run: `npm run bench`, or `npm run bench -- loop durable --repetitions 3`.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { goalsTable, tableText } from './harness/print.ts';
import { cold } from './parts/cold.ts';
import { durable } from './parts/durable.ts';
import { expressions } from './parts/expressions.ts';
import { fanout } from './parts/fanout.ts';
import { loop } from './parts/loop.ts';
import { resume } from './parts/resume.ts';

const PARTS = [loop, durable, resume, fanout, cold, expressions];
const PEERS = fileURLToPath(new URL('peers', import.meta.url));
const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repetitions: { type: 'string', short: 'r' },
    quick: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `bench: there is no part ${unknown.join(', ')}; there are ${PARTS.map((part) => part.name).join(', ')}.\n`,
  );
  process.exit(2);
}
await main();

async function main() {
  const parts = PARTS.filter((part) => positionals.length === 0 || positionals.includes(part.name));
  const peers = !values['no-peers'];
  if (peers) installPeers();
  const temporary = mkdtempSync(join(tmpdir(), 'troupe-bench-'));
  try {
    const results = [];
    for (const part of parts)
      results.push({ part: part.name, title: part.title, ...(await runPart(part, temporary, peers)) });
    const goals = results.flatMap((result) => result.goals);
    process.stdout.write(`\n${tableText(goalsTable(goals))}`);
    writeFileSync(RESULTS, `${JSON.stringify({ machine: machine(), results }, null, 2)}\n`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function runPart(part, temporary, peers) {
  process.stdout.write(`\n## ${part.title}\n`);
  const result = await part.run({
    repetitions: Number(values.repetitions ?? (values.quick ? 1 : 5)),
    quick: values.quick,
    peers,
    folder: (name) => {
      const path = mkdtempSync(join(temporary, `${name}-`));
      mkdirSync(path, { recursive: true });
      return path;
    },
    say: (text) => process.stderr.isTTY && process.stderr.write(`\r\u001b[K${text}`),
  });
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  for (const table of result.tables) process.stdout.write(`\n${tableText(table)}`);
  for (const note of result.notes ?? []) process.stdout.write(`\n${note}\n`);
  return result;
}

function installPeers() {
  if (existsSync(join(PEERS, 'node_modules'))) return;
  process.stderr.write('bench: installing the peers (once) …\n');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: PEERS, stdio: 'inherit' });
}

function machine() {
  const [cpu] = cpus();
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: cpus().length,
    cpu: cpu?.model,
  };
}
