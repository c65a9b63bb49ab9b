import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CallRequest } from '../../src/actors/port.ts';
import { readTree } from '../../src/app/runs/tree-reader.ts';
import { runPicture } from '../../src/app/runs/run-picture.ts';
import { createRunStory } from '../../src/cli/terminal/run-story.ts';
import { showText } from '../../src/cli/terminal/show-text.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import { jointMerges } from '../../src/core/check/joint-merge.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import type { Host } from '../../src/host/port.ts';
import { end, to, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { cardDetails } from '../../src/protocol/web/fold-card.ts';
import { annAndBob, BOTH_EDIT, FilesBench, uses } from './bench.ts';
import { ASK, FILES, unitEdits, unitsThatMerge } from './overlap-runs.ts';

interface Started {
  readonly bench: FilesBench;
  readonly host: Host;
  readonly run: RunId;
}

function inGit(bench: FilesBench): FilesBench {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: bench.project });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  return bench;
}

async function started(definition: Definition, answer = unitEdits): Promise<Started> {
  const bench = inGit(new FilesBench({ files: FILES, answer }));
  const { host } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  await host.rest(run);
  return { bench, host, run };
}

type Recorded = Pick<Started, 'run'> & { readonly bench: Pick<FilesBench, 'journal'> };

const picture = ({ bench, run }: Recorded) => runPicture(bench.journal, run, null);

/** The questions of all units, by the unit. */
async function askedBy(all: Started): Promise<ReadonlyMap<string, RunId>> {
  const { questions } = await picture(all);
  const facts = await all.bench.facts(all.run);
  const units = facts.flatMap((fact) =>
    fact.kind === 'task.started' ? [[`${all.run}/${fact.task}`, fact.unit] as const] : [],
  );
  const names = new Map<string, string | null>(units);
  return new Map(questions.map(({ run }) => [names.get(run) ?? '', runId(run)]));
}

async function answer(all: Started, unit: string, text: string): Promise<void> {
  const child = (await askedBy(all)).get(unit);
  if (child === undefined) throw new Error(`${unit} asks nothing`);
  await all.host.answer(child, { answer: text, by: 'ada' });
  await all.host.rest(all.run);
}

/** The lines of the live terminal about overlaps. */
async function linesOf({ bench, run }: Recorded): Promise<readonly string[]> {
  const story = createRunStory({ root: run });
  const lines = (await readTree(bench.journal, run)).flatMap(({ run: of, record }) => story.lines(of, record));
  return lines.filter(({ who }) => who === 'overlap').map(({ text }) => text);
}

const NOTES = 'notes.txt: changed by left (coder) and right (coder)';

test('[Q9] a command that fails on the files of a unit takes nothing off the list', async () => {
  const all = await started(unitsThatMerge());
  await answer(all, 'left', 'check');
  const left = (await askedBy(all)).get('left') ?? all.run;
  expect(await all.bench.facts(left)).toContainEqual(expect.objectContaining({ refused: expect.anything() }));
  expect((await picture(all)).overlaps).toMatchObject([{ file: 'notes.txt' }]);
  expect(await linesOf(all)).toEqual([NOTES]);
});

test('[Q9] a unit that ends without a merge overlaps with none any more', async () => {
  const all = await started(unitsThatMerge());
  await answer(all, 'left', 'drop');
  expect(await picture(all)).not.toHaveProperty('overlaps');
  expect(await linesOf(all)).toEqual([NOTES]);
});

test('[Q9] a unit that ended and was put back is reported again', async () => {
  const all = await started(unitsThatMerge());
  await answer(all, 'left', 'drop');
  const begun = (await all.bench.journal.read(all.run)).findLast(({ fact }) => fact.kind === 'task.started');
  await all.host.shutdown();
  const { host } = all.bench.host();
  await host.rewind(all.run, { to: begun?.seq ?? 0, files: true, conversation: true, by: 'ada' });
  await host.resume(all.run);
  await host.rest(all.run);
  expect(await linesOf(all)).toEqual([NOTES, NOTES]);
});

test('[Q9] a file that two units changed is shown by every face until one of them is merged', async () => {
  const all = await started(unitsThatMerge());
  const children = await askedBy(all);
  const by = ['left', 'right'].map((unit) => ({ run: children.get(unit), unit, agents: ['coder'] }));
  expect((await picture(all)).overlaps).toMatchObject([{ file: 'notes.txt', by }]);
  expect(showText(await picture(all), (_style, text) => text)).toContain(`overlap   ${NOTES}`);
  expect(await linesOf(all)).toEqual([NOTES]);
  const tree = new Map<string, ReturnType<typeof foldRecords>>();
  for (const one of [all.run, ...children.values()]) tree.set(one, foldRecords(await all.bench.journal.read(one)));
  const root = foldRecords(await all.bench.journal.read(all.run));
  expect(cardDetails(tree, root).overlaps).toEqual([NOTES]);

  await answer(all, 'left', 'merge');
  expect(await picture(all)).not.toHaveProperty('overlaps');
  // What happened stays in the story.
  expect(await linesOf(all)).toEqual([NOTES]);
});

test('[Q9] a unit that puts its file back takes the overlap away', async () => {
  const all = await started(unitsThatMerge());
  expect((await picture(all)).overlaps).toHaveLength(1);
  await answer(all, 'right', 'again');
  expect(await picture(all)).not.toHaveProperty('overlaps');
});

test('[L6] a run that another process goes on with reports the same', async () => {
  const first = await started(unitsThatMerge());
  const before = (await picture(first)).overlaps;
  expect(before).toHaveLength(1);
  await first.host.shutdown();
  const { host } = first.bench.host();
  const all = { ...first, host };
  await host.resume(first.run, { by: 'ada' });
  await host.rest(first.run);
  expect((await picture(all)).overlaps).toEqual(before);
  expect(await linesOf(all)).toEqual([NOTES]);
  await answer(all, 'right', 'merge');
  expect(await picture(all)).not.toHaveProperty('overlaps');
});

const edits = ({ agent, call }: CallRequest) =>
  call > 1 ? says('done') : uses('edit_file', { path: 'notes.txt', old: 'two', new: `TWO by ${agent}` });

const annThenBob = (merges: readonly ('ann' | 'bob')[]): Definition =>
  annAndBob([
    work('start', BOTH_EDIT, [to('ask')]),
    work('ask', ASK, [to('ann', { when: "result !== 'bob'" }), to('bob')]),
    work('ann', { kind: 'merge', agent: 'ann' }, [to(merges.length === 2 ? 'bob' : 'done')]),
    work('bob', { kind: 'merge', agent: 'bob' }, [to('done')], { on: { blocked: [to('done')] } }),
    end('done'),
  ]);

test('[Q9] agents of one run that are merged one after the other overlap', async () => {
  const all = await started(annThenBob(['ann', 'bob']), edits);
  expect(await linesOf(all)).toEqual(['notes.txt: changed by ann and bob']);
});

test('[PD7] rivals of which one is merged do not overlap, and nothing is recorded for them', async () => {
  const all = await started(annThenBob(['ann']), edits);
  expect(await linesOf(all)).toEqual([]);
  expect(await picture(all)).not.toHaveProperty('overlaps');
  const changed = (await all.bench.facts(all.run)).filter(({ kind }) => kind === 'files.changed');
  expect(changed).toHaveLength(2);
  for (const fact of changed) expect(fact).not.toHaveProperty('unmerged');
});

test('[PD7] of the shipped workflows those merge several workspaces that do not choose one', async () => {
  const { workflows } = await loadShipped();
  const joint = workflows.filter((one) => {
    const { home, byAgent } = jointMerges(one);
    return home !== null || byAgent.size > 0;
  });
  expect(joint.map(({ name }) => name).toSorted()).toEqual(['map_item', 'quest_step', 'relay_leg']);
});

describe('[Q9] `report_overlap`: an agent hears which of its files others changed too', () => {
  /** Both change one file; an agent that is answered with `again` changes it once more. */
  function editsTwice(heard: Map<string, readonly string[]>) {
    return (request: CallRequest) => {
      const { run, call, state, messages } = request;
      const notices = messages.filter(({ content }) => content.includes('Other agents have changed'));
      heard.set(
        run,
        notices.map(({ content }) => content),
      );
      if (call > 1 || state !== 'again') return unitEdits(request);
      return uses('write_file', { path: 'notes.txt', content: `one\nagain by ${run}\n` });
    };
  }

  const NOTICE = [expect.stringContaining('will be merged: notes.txt. Change there only')];

  test('once, with the next call after its own change, and not again', async () => {
    const heard = new Map<string, readonly string[]>();
    const all = await started(unitsThatMerge({ reportsOverlap: true }), editsTwice(heard));
    const units = await askedBy(all);
    const of = (unit: string) => heard.get(units.get(unit) ?? '');
    const [first = '', second = ''] = ['left', 'right'].toSorted(
      (one, other) => (of(one)?.length ?? 0) - (of(other)?.length ?? 0),
    );
    expect([of(first), of(second), of('third')]).toEqual([[], NOTICE, []]);
    await answer(all, first, 'again');
    await answer(all, second, 'again');
    expect([of(first), of(second), of('third')]).toEqual([NOTICE, NOTICE, []]);
  });

  test('[L6] an agent whose engine was killed with -9 before it could read it hears it from the next one', async () => {
    const heard = new Map<string, readonly string[]>();
    const bench = inGit(new FilesBench({ files: FILES, answer: editsTwice(heard) }));
    const driver = [join(import.meta.dirname, 'overlap-driver.ts'), bench.home, bench.project];
    const { signal, stderr } = spawnSync(process.execPath, driver, { encoding: 'utf8', timeout: 60_000 });
    expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
    const journal = await openSqliteJournal({ home: bench.home });
    onTestFinished(() => journal.close());
    const killed = { bench: { journal }, run: runId('killed') };
    expect((await picture(killed)).overlaps).toMatchObject([{ file: 'notes.txt' }]);
    expect(await linesOf(killed)).toEqual([NOTES]);
    const { host } = bench.host({ journal, owner: `${process.pid}/next` });
    await host.resume(killed.run, { by: 'ada' });
    expect(await host.rest(killed.run)).toMatchObject({ status: 'waiting' });
    expect([...heard.values()].filter((notices) => notices.length > 0)).toEqual([NOTICE]);
    expect((await picture(killed)).overlaps).toMatchObject([
      { file: 'notes.txt', by: [{ unit: 'left' }, { unit: 'right' }] },
    ]);
    expect(await linesOf(killed)).toEqual([NOTES]);
  });

  test('a merge that says nothing of it reports nothing', async () => {
    const heard = new Map<string, readonly string[]>();
    const all = await started(unitsThatMerge(), editsTwice(heard));
    await answer(all, 'left', 'again');
    expect([...heard.values()]).toEqual([[], [], []]);
  });
});
