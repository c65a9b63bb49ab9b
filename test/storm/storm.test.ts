import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fact } from '../../src/core/record/fact.ts';
import { performHere } from '../cli/sandbox.ts';
import { countLosses, type StormEvidence } from './count-losses.ts';
import { DELIVERY_MOMENTS, KillStorm, type Kill } from './kill-storm.ts';
import { MADE, type StormProject, type StormTarget } from './storm-project.ts';

let storm: KillStorm;
/** Only a process can be killed: the other commands run in this one. */
const perform = async (words: readonly string[], { project, home }: StormProject): Promise<string> =>
  (await performHere(words, { folder: project }, home)).stderr;
beforeAll(async () => (storm = await KillStorm.open({ perform })));
afterAll(async () => await storm.close());

const NO_LOSS = { missing: 0, appliedTwice: 0, callsRepeated: 0 };

/** The last process of the run dies at each moment of its delivery, earlier ones before that. */
const STORM: readonly (readonly [StormTarget, readonly Kill[]])[] = [
  ...DELIVERY_MOMENTS.apply.map((at) => ['apply', [{ at }]] as const),
  ...DELIVERY_MOMENTS.branch.map((at) => ['branch', [{ at }]] as const),
  [
    'apply',
    [
      { at: 'after question.answered 1' },
      { at: 'after call.answered 1' },
      { at: 'after run.settled 1' },
      { at: 'file 3' },
    ],
  ],
];

test('[R1] [L6] killed with -9 at every moment of its delivery, a run is delivered once by the next process', async () => {
  for (const [target, kills] of STORM) {
    const losses = countLosses(await storm.run(target, kills));
    expect({ target, kills, ...losses }).toEqual({ target, kills, ...NO_LOSS });
  }
  // Each exact kill happened: a moment that never came would prove nothing.
  const exact = STORM.flatMap(([, kills]) => kills.filter((kill) => 'at' in kill));
  expect(storm.found.kills).toBeGreaterThanOrEqual(exact.length);
}, 240_000);

test('the storm notices a missing file, a second delivery, a lost edit and a repeated call', () => {
  const finished = { kind: 'delivery.finished', how: 'applied' } as Fact;
  const answered = { kind: 'call.answered', task: 't1', call: 1 } as Fact;
  const good: StormEvidence = {
    target: 'apply',
    facts: [answered, finished],
    files: MADE.map(() => 'made\n'),
    commits: 0,
    isEditKept: true,
    repeatedCalls: 0,
  };
  expect(countLosses(good)).toEqual(NO_LOSS);
  const planted: readonly StormEvidence[] = [
    { ...good, files: good.files.with(3, null) },
    { ...good, files: good.files.with(3, '') },
    { ...good, facts: [answered] },
    { ...good, target: 'branch', commits: 0 },
    { ...good, facts: [answered, finished, finished] },
    { ...good, isEditKept: false },
    { ...good, repeatedCalls: 1 },
    { ...good, facts: [answered, answered, finished] },
  ];
  const missing = { ...NO_LOSS, missing: 1 };
  const twice = { ...NO_LOSS, appliedTwice: 1 };
  const repeated = { ...NO_LOSS, callsRepeated: 1 };
  const expected = [missing, missing, missing, missing, twice, twice, repeated, repeated];
  expect(planted.map(countLosses)).toEqual(expected);
});
