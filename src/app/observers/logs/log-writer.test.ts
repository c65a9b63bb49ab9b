import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Fact } from '../../../core/record/fact.ts';
import { runId, type RunId } from '../../../core/model/ids.ts';
import { byCommit } from '../../../core/record/stored-record.ts';
import type { RunInfo, StoredRecord } from '../../../journal/port.ts';
import type { LogLine } from '../../../protocol/log-lines/log-line.ts';
import { logPlace, RunLines } from './log-file.ts';
import { LogWriter } from './log-writer.ts';
import type { TreeJournal } from '../../runs/tree-reader.ts';

const ROOT = runId('r1');
const CHILD = runId('r1/t1');

/** A home, and journals of a run and of one below it that the test writes. */
class Bench {
  readonly home = mkdtempSync(join(tmpdir(), 'troupe-log-'));
  readonly records = new Map<RunId, StoredRecord[]>([
    [ROOT, []],
    [CHILD, []],
  ]);
  readonly warnings: string[] = [];
  #clock = 0;

  constructor() {
    onTestFinished(() => rmSync(this.home, { recursive: true, force: true }));
    this.write(ROOT, { kind: 'run.started', workflow: 'flow' });
    const work = { kind: 'call', workflow: 'kid', input: {} };
    this.write(ROOT, { kind: 'task.started', task: 't1', state: 's', pool: null, unit: null, work });
    this.write(CHILD, { kind: 'run.started', workflow: 'kid' });
  }

  write(run: RunId, fact: object): { readonly kind: 'record'; readonly run: RunId; readonly record: StoredRecord } {
    const own = this.records.get(run) ?? [];
    this.#clock += 1000;
    const record = { seq: own.length + 1, at: this.#clock, fact: fact as Fact, commit: this.#clock };
    own.push(record);
    return { kind: 'record', run, record };
  }

  /** A turn of an agent, as the writer hears of it. */
  turn(writer: LogWriter | null, run: RunId, agent: string): void {
    const task = `t${(this.records.get(run)?.length ?? 0) + 1}`;
    const work = { kind: 'turn', agent, context: 'c', input: null };
    const start = { kind: 'task.started', task, state: 's', pool: null, unit: null, work };
    for (const fact of [start, { kind: 'task.ended', task, outcome: 'ok', output: null, failure: null }])
      writer?.heard(this.write(run, fact));
  }

  writer(): LogWriter {
    return new LogWriter({
      home: this.home,
      journal: this.journal,
      everyMs: 1,
      tell: (sentence) => this.warnings.push(sentence),
    });
  }

  get journal(): TreeJournal {
    return {
      read: async (run, after = 0) => await Promise.resolve((this.records.get(run) ?? []).slice(after)),
      tree: async (_root, after = 0) =>
        await Promise.resolve(
          [...this.records]
            .flatMap(([run, own]) => own.map((record) => ({ ...record, run })))
            .filter(({ commit }) => commit > after)
            .toSorted(byCommit),
        ),
      run: async (run) => await Promise.resolve({ run, seq: this.records.get(run)?.length ?? 0 } as RunInfo),
      runs: async (filter) => await Promise.resolve(filter?.parent === ROOT ? [{ run: CHILD } as RunInfo] : []),
    };
  }

  get place() {
    return logPlace(this.home, ROOT);
  }
}

/** Each line of the journals is in the logs once, run by run in order, and in its agent's too. */
async function expectWhole({ journal, place }: Bench): Promise<void> {
  const lines = await new RunLines(journal, ROOT).readOn();
  const written = read(place.workflow);
  expect(sorted(written)).toEqual(sorted(lines));
  for (const run of [ROOT, CHILD]) {
    const seqs = written.filter((line) => line.run === run).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  }
  for (const agent of new Set(lines.flatMap(({ agent_id }) => (agent_id === null ? [] : [agent_id])))) {
    expect(sorted(read(place.agent(agent)))).toEqual(sorted(lines.filter(({ agent_id }) => agent_id === agent)));
  }
}

const read = (path: string): readonly LogLine[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogLine);

const sorted = (lines: readonly LogLine[]): readonly string[] => lines.map((line) => JSON.stringify(line)).toSorted();

test('[PH8] lines go to the log of the run and to those of its agents, children with their root', async () => {
  const bench = new Bench();
  const writer = bench.writer();
  bench.turn(writer, ROOT, 'lead');
  bench.turn(writer, CHILD, 'coder');
  await writer.flush();
  bench.turn(writer, ROOT, 'coder');
  bench.write(ROOT, { kind: 'run.settled', outcome: 'ok', output: null, failure: null });
  await writer.close();
  await expectWhole(bench);
  expect(read(bench.place.agent('coder')).map(({ run }) => run)).toEqual([CHILD, CHILD, ROOT, ROOT]);
  expect(statSync(bench.place.workflow).mode & 0o777).toBe(0o600);
  expect(bench.warnings).toEqual([]);
});

test('[PH8] [L6] wherever the log of a process that died was cut, the next adds what is missing and nothing twice', async () => {
  const bench = new Bench();
  const first = bench.writer();
  for (const agent of ['lead', 'coder', 'lead']) bench.turn(first, ROOT, agent);
  bench.turn(first, CHILD, 'coder');
  await first.close();
  const [whole, agents] = [bench.place.workflow, bench.place.agent('coder')].map((path) => readFileSync(path));
  bench.turn(null, CHILD, 'coder');
  for (let size = 0; size <= (whole?.length ?? 0); size += 37) {
    writeFileSync(bench.place.workflow, whole ?? '');
    truncateSync(bench.place.workflow, size);
    writeFileSync(bench.place.agent('coder'), agents ?? '');
    truncateSync(bench.place.agent('coder'), Math.min(size, agents?.length ?? 0));
    const next = bench.writer();
    next.touched(CHILD);
    await next.close();
    await expectWhole(bench);
  }
  expect(bench.warnings).toEqual([]);
});

test('[PH8] a log that somebody removed or wrote into while it was written is whole again', async () => {
  const bench = new Bench();
  const writer = bench.writer();
  bench.turn(writer, ROOT, 'lead');
  await writer.flush();
  rmSync(bench.place.folder, { recursive: true });
  bench.turn(writer, ROOT, 'lead');
  await writer.flush();
  await expectWhole(bench);
  appendFileSync(bench.place.workflow, 'no line of ours\n');
  bench.turn(writer, ROOT, 'lead');
  await writer.close();
  await expectWhole(bench);
  expect(bench.warnings).toEqual([]);
});

test('[PH8] a fork has only its own lines', async () => {
  const bench = new Bench();
  bench.turn(null, ROOT, 'lead');
  bench.write(ROOT, { kind: 'run.forked', from: { run: 'r0', seq: 3 }, input: {}, by: 'ada' });
  const writer = bench.writer();
  bench.turn(writer, ROOT, 'coder');
  await writer.close();
  const own = read(bench.place.workflow).filter(({ run }) => run === ROOT);
  expect(own.map(({ event }) => event)).toEqual(['workflow_forked', 'agent_started', 'agent_completed']);
  expect(existsSync(bench.place.agent('lead'))).toBe(false);
});

test('[PH8] a log that cannot be written is reported once, stops nothing, and is made up for', async () => {
  const bench = new Bench();
  const writer = bench.writer();
  const runs = join(bench.home, 'runs');
  writeFileSync(runs, 'in the way');
  for (let time = 0; time < 3; time += 1) {
    bench.turn(writer, ROOT, 'lead');
    await writer.flush();
  }
  expect(bench.warnings).toEqual([
    expect.stringMatching(/^the log of r1 could not be written \(.*\); the journal has all of it$/),
  ]);
  rmSync(runs);
  await writer.close();
  await expectWhole(bench);
});

test('[PH8] agents whose names are no file names have separate logs, inside the folder', () => {
  const { agent, folder } = logPlace('/home', 'r1');
  expect(agent('coder')).toBe(join(folder, 'agents/coder.log'));
  const odd = ['../../x', 'a b', 'a_b!', '', '.', '..', 'é', 'x'.repeat(300), '/'].map(agent);
  expect(new Set(odd).size).toBe(odd.length);
  for (const path of odd) expect(path).toMatch(/^\/home\/runs\/r1\/logs\/agents\/[\w-]{0,60}-[\da-f]{8}\.log$/);
});
