import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { questJson, questPlace, QuestWriter } from '../../src/formats/quest/app/quest-writer.ts';
import { questText } from '../../src/formats/quest/app/quest-text.ts';
import { byCommit, type StoredRecord } from '../../src/core/record/stored-record.ts';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import type { LiveEvent } from '../../src/host/port.ts';
import type { RunInfo } from '../../src/journal/port.ts';
import type { TreeJournal } from '../../src/app/runs/tree-reader.ts';
import { foldQuest } from '../../src/formats/quest/views/fold-quest.ts';
import type { QuestView } from '../../src/formats/quest/views/quest-view.ts';
import { plan, QuestBench, signals, writes, type Plot } from './quest-bench.ts';

/** Two steps and a third that waits for both; one asks, one is split, one is not believed at first. */
const eventful: Plot = ({ role, step, visit, call, prompt }) => {
  if (role === 'pathseeker' && prompt.includes('called in')) return plan([{ id: 'half', files: ['c.half.txt'] }]);
  if (role === 'pathseeker') {
    return plan([{ id: 'a', files: ['a.txt'] }, { id: 'b' }, { id: 'c', after: ['a', 'b'] }]);
  }
  if (role !== 'codeweaver') return undefined;
  if (step === 'b' && visit === 1) {
    return signals('needs-user-input', { stepId: 'b', question: 'Which colour?', context: 'For the door.' });
  }
  if (step === 'c' && visit === 1) {
    const more = { stepId: 'c', targetRole: 'pathseeker', reason: 'too large', context: 'two things', resume: true };
    return signals('needs-role-followup', more);
  }
  if (step === 'a' && call === 1) return signals('complete', { stepId: 'a', summary: 'nothing written' });
  return call === (step === 'a' ? 2 : 1) ? writes(`${step}.txt`, step) : undefined;
};

test('[Q7] after every commit the quest file is the fold of the journals, byte for byte', async () => {
  const bench = new QuestBench(eventful);
  const heard: Extract<LiveEvent, { kind: 'record' }>[] = [];
  bench.host.onLive((event) => void (event.kind === 'record' && heard.push(event)));
  expect(await bench.start({ ward: ['test -e readme.txt'] })).toMatchObject({ status: 'waiting' });
  expect(await bench.answer('blue')).toMatchObject({ outcome: 'ok' });

  const journals = new Map<RunId, StoredRecord[]>();
  const home = join(bench.bench.home, 'again');
  const complaints: string[] = [];
  const writer = new QuestWriter({ home, journal: grown(journals), everyMs: 0, tell: (said) => complaints.push(said) });
  const { json, text } = questPlace(home, bench.run);
  const seen = new Set<string>();
  const commits = new Map(
    (await bench.bench.journal.tree(bench.run)).map((one) => [`${one.run} ${one.seq}`, one.commit]),
  );
  const commitOf = ({ run, record }: (typeof heard)[number]): number => commits.get(`${run} ${record.seq}`) ?? 0;
  for (const [commit, events] of Map.groupBy(heard, commitOf)) {
    for (const event of events) {
      journals.set(event.run, [...(journals.get(event.run) ?? []), { ...event.record, commit }]);
      writer.heard(event);
    }
    await writer.flush();
    const view = foldQuest(bench.run, journals);
    if (view === null) throw new Error('no quest');
    expect(readFileSync(json, 'utf8')).toBe(questJson(view));
    expect(readFileSync(text, 'utf8')).toBe(questText(view));
    for (const { id, status } of view.steps) seen.add(`${id} ${status}`);
  }
  expect(complaints).toEqual([]);
  expect(readdirSync(join(home, 'runs', bench.run)).toSorted()).toEqual(['quest.json', 'quest.md']);
  for (const one of ['c waiting', 'a running', 'b resting', 'b merged', 'c.half running', 'c.half merged'])
    expect([...seen]).toContain(one);
  expect(foldQuest(bench.run, await journalsOf(bench))).toEqual(foldQuest(bench.run, journals));
}, 120_000);

/** A journal that has just what was put into it. */
function grown(journals: ReadonlyMap<RunId, readonly StoredRecord[]>): TreeJournal {
  const info = (run: RunId): RunInfo => ({ run, seq: journals.get(run)?.length ?? 0 }) as RunInfo;
  const parentOf = (run: string): string => run.slice(0, Math.max(0, run.lastIndexOf('/')));
  return {
    read: async (run, after = 0, limit = Infinity) =>
      await Promise.resolve((journals.get(run) ?? []).slice(after, after + limit)),
    tree: async (_root, after = 0) =>
      await Promise.resolve(
        [...journals]
          .flatMap(([run, own]) => own.map((record) => ({ ...record, run })))
          .filter(({ commit }) => commit > after)
          .toSorted(byCommit),
      ),
    run: async (run) => await Promise.resolve(journals.has(run) ? info(run) : undefined),
    runs: async (filter) =>
      await Promise.resolve([...journals.keys()].filter((run) => parentOf(run) === filter?.parent).map(info)),
  };
}

async function journalsOf({ bench, run }: QuestBench): Promise<ReadonlyMap<RunId, readonly StoredRecord[]>> {
  const found = new Map<RunId, readonly StoredRecord[]>();
  const runs = [run];
  for (let one = runs.shift(); one !== undefined; one = runs.shift()) {
    found.set(one, await bench.journal.read(one));
    runs.push(...(await bench.journal.runs({ parent: one })).map((info) => info.run));
  }
  return found;
}

function follow(bench: QuestBench, everyMs?: number): QuestWriter {
  const { home, journal } = bench.bench;
  const writer = new QuestWriter({ home, journal, ...(everyMs === undefined ? {} : { everyMs }) });
  bench.host.onLive((event) => writer.heard(event));
  return writer;
}

const fileOf = (bench: QuestBench): QuestView =>
  JSON.parse(readFileSync(questPlace(bench.bench.home, bench.run).json, 'utf8')) as QuestView;

test('[Q7] a quest that rests with a question is in the file, and another process writes on', async () => {
  const bench = new QuestBench(eventful);
  const first = follow(bench);
  await bench.start();
  await first.close();
  expect(fileOf(bench)).toEqual(foldQuest(bench.run, await journalsOf(bench)));
  expect(fileOf(bench)).toMatchObject({
    status: 'waiting',
    questions: [{ kind: 'ask', text: expect.stringContaining('Which colour?') }],
    steps: [
      { id: 'a', status: 'merged' },
      { id: 'b', status: 'resting' },
      { id: 'c', status: 'waiting' },
    ],
  });

  await bench.host.shutdown();
  bench.host = bench.bench.host().host;
  const second = follow(bench);
  await bench.host.resume(bench.run);
  await bench.host.rest(bench.run);
  await bench.answer('blue');
  await second.close();
  expect(fileOf(bench)).toEqual(foldQuest(bench.run, await journalsOf(bench)));
  expect(fileOf(bench)).toMatchObject({ status: 'settled', outcome: 'ok', questions: [], slots: [] });
});

test('[Q7] the file tells requirements, steps, signals, evidence, sessions, merges and what it cost', async () => {
  const bench = new QuestBench(eventful);
  const writer = follow(bench, 0);
  await bench.start({ request: 'A house\nwith a door', ward: ['test -e readme.txt'] });
  await bench.answer('blue');
  await writer.close();
  const view = fileOf(bench);
  expect(view).toMatchObject({ title: 'A house', requirements: ['It greets.'], ward: ['test -e readme.txt'] });
  expect(view.sessions.map(({ role, actor }) => [role, actor])).toEqual([
    ['chaoswhisperer', 'model'],
    ['pathseeker', 'model'],
    ['lawbringer', 'model'],
  ]);
  const [a, b, c, half] = view.steps;
  expect(a).toMatchObject({ status: 'merged', attempts: 1, files: ['a.txt'], merge: { outcome: 'ok', tries: 1 } });
  expect(a?.signals.map(({ role, signal, status }) => `${role} ${signal} ${status}`)).toEqual([
    'codeweaver complete refused',
    'codeweaver complete taken',
    'siegemaster complete taken',
  ]);
  expect(
    a?.evidence.map(({ seen }) => (seen.kind === 'file' ? seen.isThere : null)).filter((one) => one !== null),
  ).toEqual([false, true, true]);
  expect(a?.checks[0]).toMatchObject({ outcome: 'ok', exitCode: 0 });
  expect(b?.signals[0]).toMatchObject({ signal: 'needs-user-input', says: { question: 'Which colour?' } });
  expect(b?.sessions[0]).toMatchObject({ role: 'codeweaver', session: 'weaving#1', turns: 2 });
  expect(c).toMatchObject({ after: ['a', 'b'], status: 'merged' });
  expect(half).toMatchObject({ id: 'c.half', partOf: 'c', status: 'merged' });
  const calls = view.steps.reduce((sum, { usage }) => sum + usage.calls, 0);
  expect(view.usage.calls).toBeGreaterThan(calls);
  const history = view.history.map(({ step, text }) => `${step ?? ''}|${text}`);
  for (const one of ['b|ann answers: blue', '|c is split: c.half', 'a|Ward is green', '|ends ok'])
    expect(history).toContain(one);
  const text = readFileSync(questPlace(bench.bench.home, bench.run).text, 'utf8');
  expect(text).toContain('- signal: codeweaver needs-user-input: Which colour?');
  expect(text).toContain('- evidence (codeweaver): a.txt is missing');
});

test('[Q1] a unit keeps its slot, and the next one takes the lowest that is free', async () => {
  const seen: string[] = [];
  const bench = new QuestBench(({ role, step, call }) => {
    if (role === 'pathseeker') return plan(['a', 'b', 'c', 'd', 'e'].map((id) => ({ id })));
    return role === 'codeweaver' && call === 1 ? writes(`${step}.txt`, step) : undefined;
  });
  const journals = new Map<RunId, StoredRecord[]>();
  bench.host.onLive((event) => {
    if (event.kind !== 'record') return;
    const own = journals.get(event.run) ?? [];
    journals.set(event.run, [...own, { ...event.record, commit: event.record.at }]);
    const root = runId(event.run.split('/')[0] ?? '');
    if (event.record.fact.kind !== 'task.started' || event.run !== root) return;
    for (const { slot, step } of foldQuest(root, journals)?.slots ?? []) seen.push(`${step} ${slot}`);
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  const places = new Map([...new Set(seen)].map((one) => one.split(' ') as [string, string]));
  expect([...places.keys()].toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(new Set(seen).size).toBe(5);
  expect([...places.values()].every((slot) => Number(slot) <= 3)).toBe(true);
});
