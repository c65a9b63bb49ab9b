import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Fact } from '../../../core/record/fact.ts';
import { runId } from '../../../core/model/ids.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import type { RunInfo, StoredRecord } from '../../../journal/port.ts';
import type { QuestView } from '../views/quest-view.ts';
import type { TreeJournal } from '../../../app/runs/tree-reader.ts';
import { questPlace, QuestWriter } from './quest-writer.ts';

const RUN = runId('quest1');
const QUEST = { progress: { requirements: [], contexts: [], observables: [], steps: [], todo: [], done: [] } };

/** A home, and a journal of one run that the test writes. */
class Bench {
  readonly home = mkdtempSync(join(tmpdir(), 'troupe-quest-'));
  readonly records: StoredRecord[] = [];
  reads = 0;

  constructor(data: JsonObject) {
    onTestFinished(() => rmSync(this.home, { recursive: true, force: true }));
    const started = {
      kind: 'run.started',
      run: RUN,
      parent: null,
      workflow: 'quest',
      input: { request: 'A house' },
      data,
    };
    this.write({ ...started, contexts: [], limits: {}, project: '/p' });
  }

  write(fact: object): void {
    const seq = this.records.length + 1;
    this.records.push({ seq, at: 1000 * seq, fact: fact as Fact, commit: seq });
  }

  get journal(): TreeJournal {
    return {
      read: async (_run, after = 0, limit = Infinity) => {
        this.reads += 1;
        return await Promise.resolve(this.records.slice(after, after + limit));
      },
      tree: async (run, after = 0) => {
        this.reads += 1;
        return await Promise.resolve(
          this.records.filter(({ commit }) => commit > after).map((one) => ({ ...one, run })),
        );
      },
      run: async (run) => await Promise.resolve({ run, seq: this.records.length } as RunInfo),
      runs: async () => await Promise.resolve([]),
    };
  }

  /** A requirement more, and the writer hears of it. */
  learn(writer: QuestWriter, requirement: string): void {
    this.write({ kind: 'data.set', patch: { inside: { progress: { set: { requirements: [requirement] } } } } });
    writer.touched(RUN);
  }

  get file(): QuestView {
    return JSON.parse(readFileSync(questPlace(this.home, RUN).json, 'utf8')) as QuestView;
  }
}

test('[Q7] many records in a short time are one write, and the last state is always written', async () => {
  const bench = new Bench(QUEST);
  const writer = new QuestWriter({ home: bench.home, journal: bench.journal, everyMs: 3_600_000 });
  writer.touched(RUN);
  await writer.flush();
  expect(bench.file).toMatchObject({ title: 'A house', requirements: [], records: { quest1: 1 } });
  const { reads } = bench;
  for (let count = 1; count <= 500; count += 1) bench.learn(writer, `number ${count}`);
  expect(bench.file.requirements).toEqual([]);
  await writer.close();
  expect(bench.file).toMatchObject({ requirements: ['number 500'], records: { quest1: 501 } });
  expect(bench.reads - reads).toBe(1);
  expect(readdirSync(dirname(questPlace(bench.home, RUN).json)).toSorted()).toEqual(['quest.json', 'quest.md']);
});

test('an unannounced record is in the file when the writer is closed', async () => {
  const bench = new Bench(QUEST);
  const writer = new QuestWriter({ home: bench.home, journal: bench.journal });
  writer.touched(RUN);
  await writer.flush();
  bench.write({ kind: 'data.set', patch: { inside: { progress: { set: { observables: ['a light'] } } } } });
  await writer.close();
  expect(bench.file.observables).toEqual(['a light']);
});

test('a run that is no quest has no file, and is not read again', async () => {
  const bench = new Bench({ progress: { requirements: [] } });
  const writer = new QuestWriter({ home: bench.home, journal: bench.journal, everyMs: 0 });
  for (let count = 0; count < 3; count += 1) {
    writer.touched(RUN);
    await writer.flush();
  }
  await writer.close();
  expect(bench.reads).toBe(1);
  expect(existsSync(join(bench.home, 'runs'))).toBe(false);
});

test('[L5] files that cannot be written are reported once, and written as soon as they can be', async () => {
  const bench = new Bench(QUEST);
  const messages: string[] = [];
  const writer = new QuestWriter({
    home: bench.home,
    journal: bench.journal,
    everyMs: 0,
    tell: (said) => messages.push(said),
  });
  writeFileSync(join(bench.home, 'runs'), 'in the way');
  for (const requirement of ['one', 'two']) {
    bench.learn(writer, requirement);
    await writer.flush();
  }
  expect(messages).toEqual([expect.stringContaining('the quest file of quest1 could not be written')]);
  rmSync(join(bench.home, 'runs'));
  bench.learn(writer, 'three');
  await writer.flush();
  expect(bench.file.requirements).toEqual(['three']);
});

test('[L5] what could not be written is written later though nothing new is heard', async () => {
  const bench = new Bench(QUEST);
  const writer = new QuestWriter({ home: bench.home, journal: bench.journal, everyMs: 0 });
  writeFileSync(join(bench.home, 'runs'), 'in the way');
  bench.learn(writer, 'one');
  await writer.flush();
  rmSync(join(bench.home, 'runs'));
  await writer.flush();
  expect(bench.file.requirements).toEqual(['one']);
  await writer.close();
});
