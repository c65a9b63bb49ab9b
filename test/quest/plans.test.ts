import { expect, test } from 'vitest';
import { foldQuest } from '../../src/formats/quest/views/fold-quest.ts';
import { plan, QuestBench, signals } from './quest-bench.ts';

const THOUSAND = Array.from({ length: 1000 }, (_, index) => ({ id: `s${index}` }));

test.for([
  ['no steps', [], 'It has no steps.'],
  ['a thousand steps', THOUSAND, 'It has 1000 steps; 100 are the most.'],
  [
    'a circle',
    [
      { id: 'a', after: ['b'] },
      { id: 'b', after: ['a'] },
    ],
    'wait for each other in a circle: a, b.',
  ],
  ['an unknown name', [{ id: 'a', after: ['x'] }], '"a" comes after "x", which is no step.'],
  ['an id twice', [{ id: 'a' }, { id: 'a' }], '"a" is the id of several steps'],
  ['an id that is none', [{ id: '../a' }], '"../a" cannot be an id'],
] as const)('[Q1] a plan with %s goes back to PathSeeker, who fixes it', async ([, steps, problem]) => {
  const bench = new QuestBench(({ role, visit }) => {
    if (role !== 'pathseeker') return undefined;
    return visit === 1 ? plan(steps) : plan([{ id: 'fine' }]);
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok', output: { steps: [{ id: 'fine' }] } });
  expect(bench.turnsOf('pathseeker')[1]?.prompt).toContain(problem);
});

test('[L3] a plan that is never fixed fails the quest with a name', async () => {
  const bench = new QuestBench(({ role }) => (role === 'pathseeker' ? plan([]) : undefined));
  expect(await bench.start()).toMatchObject({ outcome: 'failed', failure: { code: 'BAD_PLAN' } });
  expect(bench.turnsOf('pathseeker')).toHaveLength(4);
});

test('[L3] BAD_PLAN says which steps are wrong and why, and the history tells each try', async () => {
  const bad = [
    { id: 'greet', after: ['part'] },
    { id: 'part', after: ['greet', 'gret'] },
    { id: 'part', after: [] },
  ];
  const bench = new QuestBench(({ role }) => (role === 'pathseeker' ? plan(bad) : undefined));
  const { failure } = await bench.start();
  expect(failure).toMatchObject({ code: 'BAD_PLAN', hint: expect.stringContaining('troupe logs') });
  expect(failure?.message).toBe(
    'The plan cannot be carried out. "part" is the id of several steps; each needs its own. ' +
      '"part" comes after "gret", which is no step. pathseeker was told three times and did not correct it.',
  );
  const view = foldQuest(bench.run, new Map([[bench.run, await bench.bench.journal.read(bench.run)]]));
  const history = view?.history.map(({ text }) => text).filter((text) => text.startsWith('pathseeker')) ?? [];
  expect(history).toHaveLength(8);
  expect(history.slice(0, 3)).toEqual([
    'pathseeker has the word',
    'pathseeker hands in plan_steps: greet, part, part',
    expect.stringMatching(/^pathseeker has the word again: The plan cannot be carried out: - "part" is the id of/),
  ]);
});

test('[L3] complete without a plan is refused with the reason, and so is complete without requirements', async () => {
  const bench = new QuestBench(({ role, visit }) => {
    if (visit > 1) return undefined;
    if (role === 'pathseeker') return signals('complete', { stepId: 'plan', summary: 'planned' });
    return role === 'chaoswhisperer' ? signals('complete', { stepId: 'requirements', summary: 'clear' }) : undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  expect(bench.turnsOf('pathseeker')[1]?.prompt).toContain('plan_steps');
  expect(bench.turnsOf('chaoswhisperer')[1]?.prompt).toContain('set_requirements');
});

test('[Q3] PathSeeker has the project fixed before it plans, and goes on in its session', async () => {
  const bench = new QuestBench(({ role, visit }) => {
    if (role !== 'pathseeker' || visit > 1) return undefined;
    const asked = {
      stepId: 'plan',
      targetRole: 'spiritmender',
      reason: 'it does not build',
      context: 'c',
      resume: true,
    };
    return signals('needs-role-followup', asked);
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok', output: { steps: [{ id: 'help-1' }, { id: 'one' }] } });
  const [, again] = bench.turnsOf('pathseeker');
  expect(again?.prompt).toContain('spiritmender is done: spiritmender did help-1');
  expect(again?.seen).toBeGreaterThan(2);
});

test('[Q3] PathSeeker that runs out of room is followed by a fresh session', async () => {
  const bench = new QuestBench(({ role, visit }) =>
    role === 'pathseeker' && visit === 1
      ? signals('partially-complete', { stepId: 'plan', progress: 'read half', continuationPoint: 'src/b' })
      : undefined,
  );
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  const [first, second] = bench.turnsOf('pathseeker');
  expect(second?.seen).toBe(first?.seen);
  expect(second?.prompt).toContain('Go on here: src/b');
});

test('[L5] a planned step that is called like one of the engine’s own still counts', async () => {
  const bench = new QuestBench(({ role, step }) => {
    if (role === 'pathseeker') return plan([{ id: 'good' }, { id: 'repair-1' }]);
    const never = { stepId: step, progress: 'p', continuationPoint: 'c' };
    return role === 'codeweaver' && step === 'repair-1' ? signals('partially-complete', never) : undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'partial' });
});

test('[L3] what a plan says beyond its schema changes nothing', async () => {
  const odd = { id: 'one', begin: 'lawbringer', part_of: 'nothing', resume: 1 };
  const bench = new QuestBench(({ role }) => (role === 'pathseeker' ? plan([odd]) : undefined));
  expect(await bench.start()).toMatchObject({ outcome: 'ok', output: { steps: [{ id: 'one', kind: 'step' }] } });
});
