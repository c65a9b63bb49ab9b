// Measures Troupe beside its peers in one run: `npm run bench`, or for a part of it
// `npm run bench -- loop durable --repetitions 3`; `--write` puts the tables into docs/performance.md; `--check` fails when a
// ratio is a quarter worse than the one that stands there, and without names of parts measures those of CHECKED.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { comparedFigures, committedFigures, worseFigures } from './harness/check.ts';
import { withRows, withSection } from './harness/document.ts';
import { goalsTable, tableText } from './harness/print.ts';
import { actions } from './parts/actions.ts';
import { cluster } from './parts/cluster.ts';
import { cold } from './parts/cold.ts';
import { delivery } from './parts/delivery.ts';
import { durable } from './parts/durable.ts';
import { expressions } from './parts/expressions.ts';
import { fanout } from './parts/fanout.ts';
import { growth } from './parts/growth.ts';
import { loop } from './parts/loop.ts';
import { manyRuns } from './parts/many-runs.ts';
import { pool } from './parts/pool.ts';
import { requests } from './parts/requests.ts';
import { resume } from './parts/resume.ts';
import { review } from './parts/review.ts';
import { slots } from './parts/slots.ts';
import { snapshot } from './parts/snapshot.ts';
import { travel } from './parts/travel.ts';
import { webLive } from './parts/web-live.ts';
import { webPage } from './parts/web-page.ts';
import { workers } from './parts/workers.ts';
import { workspace } from './parts/workspace.ts';

const PARTS = [
  loop,
  durable,
  resume,
  fanout,
  cold,
  manyRuns,
  expressions,
  snapshot,
  workspace,
  travel,
  cluster,
  workers,
  slots,
  pool,
  growth,
  review,
  requests,
  actions,
  delivery,
  webLive,
  webPage,
];
/** The engine's own figures, which say in a few minutes whether something became slower; the others are measured by name. */
const CHECKED = [loop, durable, resume, fanout, cold, expressions, snapshot, slots, pool, growth];
const PEERS = fileURLToPath(new URL('peers', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repetitions: { type: 'string', short: 'r' },
    quick: { type: 'boolean', default: false },
    // What is watched over time is watched for ten minutes.
    long: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    // Also puts the tables into docs/performance.md.
    write: { type: 'boolean', default: false },
    // Compares with docs/performance.md: three rounds, ratios only.
    check: { type: 'boolean', default: false },
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
  const all = values.check ? CHECKED : PARTS;
  const parts = positionals.length === 0 ? all : PARTS.filter(({ name }) => positionals.includes(name));
  const peers = !values['no-peers'] && installPeers();
  const committed = committedFigures(readFileSync(DOCUMENT, 'utf8'));
  const temporary = mkdtempSync(join(tmpdir(), 'troupe-bench-'));
  try {
    const found = {};
    for (const part of parts) {
      found[part.name] = { ...(await runPart(part, temporary, peers)), measured: measuredOn() };
      if (!values.quick) keep(found);
    }
    const goals = goalsOf(found);
    process.stdout.write(`\n${tableText(goalsTable(goals))}`);
    if (values.check) check(goals, committed);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Fails when a figure is worse than the page says. */
function check(goals, committed) {
  const worse = worseFigures(goals, committed);
  for (const line of worse) process.stderr.write(`bench: worse than committed: ${line}\n`);
  const compared = comparedFigures(goals, committed);
  const others = goals.filter(({ what, unit }) => unit === '×' && !compared.includes(what));
  for (const { what } of others) process.stdout.write(`bench: nothing is committed of: ${what}\n`);
  const left = PARTS.filter(({ name }) => positionals.length === 0 && !CHECKED.some((part) => part.name === name));
  if (left.length > 0) process.stdout.write(`bench: not measured: ${left.map(({ name }) => name).join(', ')}\n`);
  if (worse.length > 0 || compared.length === 0) process.exitCode = 1;
  process.stdout.write(`\n${compared.length} figures compared, ${worse.length} more than a quarter worse.\n`);
}

/** Parts may be measured one at a time: what was found last of each part is kept. */
function keep(found) {
  const before = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
  const parts = { ...before.parts, ...found };
  writeFileSync(RESULTS, `${JSON.stringify({ machine: machine(), parts }, null, 2)}\n`);
  if (!values.write) return;
  for (const { path, text } of Object.values(found).flatMap(({ files = [] }) => files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  let document = readFileSync(DOCUMENT, 'utf8');
  for (const [name, { tables, notes = [], measured }] of Object.entries(parts)) {
    document = withSection(document, name, [...tables.map(tableText), ...notes, `\n${measured}`].join('\n'));
  }
  document = withRows(document, 'goals', tableText(goalsTable(goalsOf(parts))));
  writeFileSync(DOCUMENT, document);
}

function goalsOf(parts) {
  return PARTS.flatMap(({ name }) => parts[name]?.goals ?? []);
}

async function runPart(part, temporary, peers) {
  process.stdout.write(`\n## ${part.title}\n`);
  const result = await part.run({
    repetitions: Number(values.repetitions ?? (values.quick ? 1 : values.check ? 3 : 5)),
    quick: values.quick,
    long: values.long,
    peers,
    folder: (name) => mkdtempSync(join(temporary, `${name}-`)),
    say: (text) => process.stderr.isTTY && process.stderr.write(`\r\u001b[K${text}`),
  });
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  for (const table of result.tables) process.stdout.write(`\n${tableText(table)}`);
  for (const note of result.notes ?? []) process.stdout.write(`\n${note}\n`);
  return result;
}

/**
 * False where they cannot be installed. Without install scripts: binaries come with the packages, and scripts would load
 * headers from hosts other than the registry.
 */
function installPeers() {
  if (existsSync(join(PEERS, 'node_modules'))) return true;
  process.stderr.write('bench: installing the peers (once) …\n');
  try {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: PEERS, stdio: 'inherit' });
    return true;
  } catch {
    rmSync(join(PEERS, 'node_modules'), { recursive: true, force: true });
    process.stderr.write('bench: the peers could not be installed from the npm registry; measuring without them.\n');
    return false;
  }
}

/** When, what and where. The commit is the one that the working tree is based on. */
function measuredOn() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const { node, platform, cores, cpu } = machine();
  const date = new Date().toISOString().slice(0, 10);
  return `Measured on ${date}, commit ${commit}, ${platform}, ${cores} cores (${cpu}), Node ${node}.`;
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
