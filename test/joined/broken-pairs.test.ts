import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import { to as way } from '../../src/source/model-parts.ts';
import type { RunRest } from '../../src/host/port.ts';
import { end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { PatternBench } from '../patterns/patterns-bench.ts';
import { PhasesBench } from '../phases/phases-bench.ts';
import { plan, QuestBench } from '../quest/quest-bench.ts';
import { hands } from '../review/reviewer-mind.ts';
import { yesMan } from '../review/manners.ts';
import { ReviewBench } from '../review/review-bench.ts';
import { reviewFile } from '../review/review-file.ts';
import { annAndBob, BOTH_EDIT, FilesBench, writeFiles } from '../workspaces/bench.ts';
import { dealt } from '../sample.ts';
import { BROKEN_PAIRS, TEST_COMMAND, type BrokenPair } from './broken-pairs.ts';

/** All files of a patch in one message. */
const patch = (files: Readonly<Record<string, string>>): CallReply =>
  says(
    '',
    Object.entries(files).map(([path, content], index) => ({
      id: `write-${index}`,
      name: 'write_file',
      arguments: { path, content },
    })),
  );

/** Whether the project's test passes in a folder. */
const isGreen = (folder: string): boolean =>
  spawnSync(process.execPath, ['test.mjs'], { cwd: folder, stdio: 'ignore' }).status === 0;

interface Played {
  readonly rest: RunRest;
  /** The files that the run would hand over. */
  readonly main: string;
  /** Turns that were paid to fix it. */
  readonly fixes: number;
  readonly failure: string;
}

const mainOf = (bench: FilesBench, run: RunId): string => join(bench.home, 'runs', run, 'work');

/** Bob is merged second, so the fix is his; he changes nothing. */
async function stateMachine(pair: BrokenPair, verify: string | null): Promise<Played> {
  let fixes = 0;
  const bench = new FilesBench({
    files: pair.files,
    answer: ({ agent, call, state }: CallRequest) => {
      if (state === 'fix') fixes += call === 1 ? 1 : 0;
      return state === 'fix' || call > 1 ? says('done') : patch(agent === 'ann' ? pair.ann : pair.bob);
    },
  });
  const named = verify === null ? {} : { verify: expression(JSON.stringify(verify)) };
  const definition = annAndBob([
    work('start', BOTH_EDIT, [to('first')]),
    work('first', { kind: 'merge', agent: 'ann', ...named }, [to('second')]),
    work('second', { kind: 'merge', agent: 'bob', ...named }, [to('stop')], {
      on: {
        failed: [
          way('lost', "failure.code === 'MERGE_NOT_FIXED'"),
          to('fix', { assign: 'this.common_data.advice = result.advice' }),
        ],
      },
    }),
    work('fix', turn('bob', 'common_data.advice'), [to('second')]),
    { kind: 'end', name: 'lost', outcome: 'failed', output: null },
    end('stop'),
  ]);
  const { host } = bench.host({ testCommands: () => Promise.resolve([TEST_COMMAND]) });
  const run = await host.start({ definition, input: {}, project: bench.project });
  const rest = await host.rest(run);
  const failure = (await bench.facts(run)).findLast((fact) => fact.kind === 'task.ended' && fact.failure !== null);
  return { rest, main: mainOf(bench, run), fixes, failure: JSON.stringify(failure) };
}

async function quest(pair: BrokenPair): Promise<Played> {
  const bench = new QuestBench(({ role, step, call }) => {
    if (role === 'pathseeker') return plan([{ id: 'ann' }, { id: 'bob' }]);
    if (role !== 'codeweaver' || call > 1) return undefined;
    return patch(step === 'ann' ? pair.ann : pair.bob);
  }, pair.files);
  const rest = await bench.start({ ward: [TEST_COMMAND] });
  const fixes = bench.turnsOf('spiritmender').length;
  return { rest, main: mainOf(bench.bench, bench.run), fixes, failure: JSON.stringify(rest.output) };
}

const PHASES = ['ann', 'bob']
  .map((id) => `  - { id: ${id}, agent_type: execution, success_criteria: [{ command: ${TEST_COMMAND} }] }`)
  .join('\n');

async function phases(pair: BrokenPair): Promise<Played> {
  const first = { ann: true, bob: true };
  let fixes = 0;
  const bench = new PhasesBench(({ phase, call }) => {
    const name = phase === 'ann' ? 'ann' : 'bob';
    if (call > 1) return null;
    if (!first[name]) fixes += 1;
    if (!first[name]) return null;
    first[name] = false;
    return patch(pair[name]);
  }, pair.files);
  const rest = await bench.start(`name: two\non_failure: keep\nphases:\n${PHASES}\n`);
  return { rest, main: mainOf(bench.bench, bench.run), fixes, failure: rest.failure?.message ?? '' };
}

async function mapReduce(pair: BrokenPair): Promise<Played> {
  const bench = new PatternBench(({ role, turn: number, call, prompt }) => {
    if (role === 'reducer' || call > 1 || number > 1) return says('done');
    return patch(prompt.includes('# Your item\n\nann\n') ? pair.ann : pair.bob);
  }, pair.files);
  const rest = await bench.start('map_reduce', { task: 'Do all', items: ['ann', 'bob'], verify: TEST_COMMAND });
  const fixes = bench.promptsTo('mapper').length - 2;
  return { rest, main: mainOf(bench.bench, bench.run), fixes, failure: JSON.stringify(rest.output) };
}

/** Both are chosen: the engine puts them together, and falls back to the best alone where that fails. */
async function hybrid(pair: BrokenPair): Promise<Played> {
  const part =
    (files: Readonly<Record<string, string>>) =>
    ({ call }: CallRequest): CallReply =>
      call === 1 ? patch(files) : says('done');
  const parts = [
    { implementation: 'impl_1', paths: Object.keys(pair.ann) },
    { implementation: 'impl_2', paths: Object.keys(pair.bob) },
  ];
  const bench = new ReviewBench(
    {
      impl_1: part(pair.ann),
      impl_2: part(pair.bob),
      impl_3: part({}),
      rev_1: yesMan,
      rev_2: yesMan,
      synthesiser: () =>
        hands('hand_in_synthesis', { decision: 'APPROVE', best: 'impl_1', reason: 'Both are good.', parts }),
    },
    pair.files,
  );
  const rest = await bench.start(reviewFile({ verify: TEST_COMMAND, extra: 'pick: synthesis\n' }));
  return { rest, main: mainOf(bench.bench, bench.run), fixes: 0, failure: JSON.stringify(rest.output) };
}

test.each(BROKEN_PAIRS)('$name: each is green alone, both are red together', ({ files, ann, bob }) => {
  for (const [made, isRight] of [
    [files, true],
    [{ ...files, ...ann }, true],
    [{ ...files, ...bob }, true],
    [{ ...files, ...ann, ...bob }, false],
  ] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'troupe-pair-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFiles(folder, made);
    expect(isGreen(folder)).toBe(isRight);
  }
});

const FAMILIES = [
  ['a state machine with verify', (pair: BrokenPair) => stateMachine(pair, TEST_COMMAND)],
  ["a state machine, by the project's own tests", (pair: BrokenPair) => stateMachine(pair, null)],
  ['a quest', quest],
  ['phases', phases],
  ['map_reduce', mapReduce],
] as const;

/** Each pair is tried in two families, and each family with two pairs; in a proof, all with all. */
const CASES = FAMILIES.map(([family, play], index) => ({ family, play, pairs: dealt(BROKEN_PAIRS, index) }));

describe.each(CASES)(
  '[Q9] [PH2] [L4] parallel work that breaks each other is stopped in $family',
  ({ play, pairs }) => {
    test.each(pairs)('$name', { timeout: 120_000 }, async (pair) => {
      const { rest, main, fixes, failure } = await play(pair);
      expect(rest.outcome).not.toBe('ok');
      expect(isGreen(main)).toBe(true);
      // One turn to fix it, which changed no file: the next one is not paid.
      expect(fixes).toBe(1);
      expect(failure).toContain('node test.mjs');
      expect(failure).toMatch(
        /Alone, the work of (?:ann|bob|item_\d) passes and the work of (?:ann|bob|item_\d) passes\./,
      );
    });
  },
);

describe('[PD5] [L4] a hybrid of two implementations that break each other is not delivered', () => {
  test.each(dealt(BROKEN_PAIRS, FAMILIES.length))('$name', { timeout: 120_000 }, async (pair) => {
    const { main, failure } = await hybrid(pair);
    expect(isGreen(main)).toBe(true);
    expect(failure).toContain('The merged files do not pass');
  });
});
