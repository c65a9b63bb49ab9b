import { expect, test } from 'vitest';
import { readTree } from '../../src/app/runs/tree-reader.ts';
import { createRunStory } from '../../src/cli/terminal/run-story.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import { goldenRun } from '../requests/golden-runs.ts';
import { recordRun } from '../requests/record-run.ts';

/** One of each family: state machine, phases, stages, quest, review, and the patterns. */
const FAMILIES = [
  'coder_reviewer',
  'two_phase_feature',
  'development',
  'quest',
  'parallel_review',
  'vote',
  'map_reduce',
];

/** Names of states, tasks, visits and programs of the engine. */
const ENGINE =
  /→ \S+( \(visit \d+\))?$|\bt\d+\b|\bcalls \w+|workspace \S+ made|^\[[^\]]*\b(begin|collect|take|pack|route|phases|work|home)\] |\] ok$|settled: ok/;

type Recorded = { readonly run: RunId; readonly records: Awaited<ReturnType<typeof readTree>> };

/** Recording a run costs more than all that is read from it here, so each is recorded once. */
const recorded = new Map<string, Promise<Recorded>>();

function recordOnce(name: string): Promise<Recorded> {
  const known = recorded.get(name) ?? record(name);
  recorded.set(name, known);
  return known;
}

async function record(name: string): Promise<Recorded> {
  const { journal, run } = await recordRun(await goldenRun(name));
  return { run, records: await readTree(journal, run) };
}

async function linesOf(name: string, isVerbose: boolean): Promise<{ lines: readonly string[]; progress: string }> {
  const { run, records } = await recordOnce(name);
  const story = createRunStory({ root: run, isVerbose });
  const lines = records.flatMap(({ run: of, record }) => story.lines(of, record));
  return {
    lines: lines.map(({ who, text }) => `[${who}] ${text}`),
    progress: story.progress(records.at(-1)?.record.at ?? 0),
  };
}

test.each(FAMILIES)('[U1] %s: a run is shown by its work, and by its engine only with --verbose', async (name) => {
  const { lines } = await linesOf(name, false);
  expect(lines.filter((line) => ENGINE.test(line))).toEqual([]);
  expect(lines[0]).toMatch(/ started as run run-1$/);
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.filter((line) => /^\[\d/.test(line))).toEqual([]);
  const verbose = await linesOf(name, true);
  expect(verbose.lines.some((line) => ENGINE.test(line))).toBe(true);
});

test('[U1] verdicts, test results and merges each have a line', async () => {
  const { lines, progress } = await linesOf('parallel_review', false);
  expect(lines).toContainEqual(expect.stringMatching(/^\[rev_1\] → hand_in_review: REVISE_\w+ · ranking: .* findings/));
  expect(lines).toContainEqual('[impl_1] ✓ npm test');
  expect(lines).toContainEqual(expect.stringMatching(/^\[troupe\] decision: APPROVE\. Consensus/));
  expect(lines).toContainEqual('[troupe] ✓ merged 1 file of impl_1: src/impl_1.ts');
  expect(progress).toMatch(/^10 of 10 steps · 0:\d\d/);
});

test('[U1] units of a pool are called by what they are about', async () => {
  const { lines } = await linesOf('map_reduce', false);
  expect(lines).toContainEqual('[umlauts › mapper] ✓ write_file src/mapper.ts');
  expect(lines).toContainEqual('[empty titles] done');
  const { lines: votes } = await linesOf('vote', false);
  expect(votes).toContainEqual(expect.stringMatching(/^\[base › voter\] → cast_ballot: slug/));
});
