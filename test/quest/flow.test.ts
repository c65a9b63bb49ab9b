import { expect, test } from 'vitest';
import { plan, QuestBench, runs, signals, writes } from './quest-bench.ts';

const SIX = [
  { id: 'a' },
  { id: 'b' },
  { id: 'c', after: ['a'] },
  { id: 'd', after: ['a', 'b'] },
  { id: 'e', after: ['c', 'd'] },
  { id: 'f' },
];

test('[Q1] [Q6] [Q9] six steps with dependencies on three slots end merged, reviewed and tested', async () => {
  let atOnce = 0;
  let most = 0;
  const bench = new QuestBench(async ({ role, step, call }) => {
    if (role === 'pathseeker') return plan(SIX.map((one) => ({ ...one, files: [`${one.id}.txt`] })));
    if (role !== 'codeweaver') return undefined;
    if (call === 1) {
      atOnce += 1;
      most = Math.max(most, atOnce);
      return writes(`${step}.txt`, step);
    }
    atOnce -= 1;
    return undefined;
  });
  const rest = await bench.start({ ward: ['test -e readme.txt', 'test ! -e broken.txt'] });
  expect(rest).toMatchObject({ outcome: 'ok', output: { ward: 'green', findings: null } });
  for (const { id } of SIX) expect(bench.read(`${id}.txt`)).toBe(id);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(3);
  const order = bench.turnsOf('codeweaver').map(({ step }) => step);
  for (const { id, after = [] } of SIX)
    for (const one of after) expect(order.indexOf(one)).toBeLessThan(order.indexOf(id));
  expect(bench.turnsOf('siegemaster')).toHaveLength(6);
  expect(bench.turnsOf('lawbringer')).toHaveLength(1);
  expect(bench.turnsOf('lawbringer')[0]?.prompt).toContain('+++ b/e.txt');
});

test('[Q1] a diamond of four: a step after others finds their work', async () => {
  const bench = new QuestBench(({ role, step, call }) => {
    if (role === 'pathseeker') {
      return plan([
        { id: 'top' },
        { id: 'left', after: ['top'], checks: ['test -e top.txt'] },
        { id: 'right', after: ['top'], checks: ['test -e top.txt'] },
        { id: 'bottom', after: ['left', 'right'], checks: ['cat left.txt right.txt'] },
      ]);
    }
    return role === 'codeweaver' && call === 1 ? writes(`${step}.txt`, step) : undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok', output: { ward: 'none' } });
  expect(bench.read('bottom.txt')).toBe('bottom');
});

test('[L4] complete is not taken for true while a file of the step is missing', async () => {
  const bench = new QuestBench(({ role, step, call, prompt }) => {
    if (role === 'pathseeker') return plan([{ id: 'one', files: ['one.txt'] }]);
    if (role !== 'codeweaver') return undefined;
    if (call === 2) return writes('one.txt', prompt.length > 0 ? 'late' : '');
    return signals('complete', { stepId: step, summary: 'done' });
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  expect(bench.read('one.txt')).toBe('late');
  const facts = [...((await bench.steps()).get('one') ?? [])];
  expect(facts.find((fact) => fact.kind === 'tool.finished')).toMatchObject({ refused: 'EVIDENCE_MISSING' });
});

test('[Q6] a failing Ward goes to Spiritmender, and then to Siegemaster', async () => {
  const bench = new QuestBench(({ role, call }) => {
    if (role === 'spiritmender' && call === 1) return writes('mended.txt', 'yes');
    return role === 'codeweaver' && call === 1 ? writes('work.txt', 'x') : undefined;
  });
  expect(await bench.start({ ward: ['test ! -e work.txt || cat mended.txt'] })).toMatchObject({ outcome: 'ok' });
  expect(bench.calls.filter(({ call }) => call === 1).map(({ role }) => role)).toEqual([
    'chaoswhisperer',
    'pathseeker',
    'codeweaver',
    'spiritmender',
    'siegemaster',
    'lawbringer',
  ]);
  expect(bench.turnsOf('spiritmender')[0]?.prompt).toContain('mended.txt');
});

test('[Q6] a Ward that cannot be fixed fails the step with a name', async () => {
  const bench = new QuestBench(({ role, call }) =>
    role === 'codeweaver' && call === 1 ? writes('work.txt', 'x') : undefined,
  );
  const rest = await bench.start({ ward: ['test ! -e work.txt'] });
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'NOTHING_DONE' } });
  const settled = ((await bench.steps()).get('one') ?? []).at(-1);
  expect(settled).toMatchObject({ kind: 'run.settled', failure: { code: 'WARD_RED' } });
  expect(bench.turnsOf('spiritmender')).toHaveLength(3);
});

test('[Q9] what collides with another step goes back to its author’s session, and both are kept', async () => {
  const bench = new QuestBench(({ role, step, visit, call, seen }) => {
    if (role === 'pathseeker') return plan([{ id: 'a' }, { id: 'b' }]);
    if (role !== 'codeweaver' || call > 1) return undefined;
    if (visit === 1) return writes('readme.txt', `${step}\n`);
    expect(seen).toBeGreaterThan(2);
    return writes('readme.txt', 'a\nb\n');
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  expect(bench.read('readme.txt')).toBe('a\nb\n');
  const again = bench.turnsOf('codeweaver').filter(({ visit }) => visit === 2);
  expect(again).toHaveLength(1);
  expect(again[0]?.prompt).toContain('<<<<<<<');
});

test('[L3] a conflict whose author changes no file to settle it fails the step with a name, and the other stays merged', async () => {
  const bench = new QuestBench(({ role, step, visit, call }) => {
    if (role === 'pathseeker') return plan([{ id: 'a' }, { id: 'b' }]);
    return role === 'codeweaver' && call === 1 && visit === 1 ? writes('readme.txt', `${step}\n`) : undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'partial' });
  const ends = [...(await bench.steps()).values()].map((facts) => facts.at(-1));
  expect(ends).toContainEqual(
    expect.objectContaining({ failure: expect.objectContaining({ code: 'MERGE_NOT_FIXED' }) }),
  );
  expect(bench.read('readme.txt')).toMatch(/^[ab]\n$/);
});

test('[Q9] steps that pass alone and fail together are fixed on the merged files', async () => {
  const bench = new QuestBench(({ role, step, call }) => {
    if (role === 'pathseeker') return plan([{ id: 'a' }, { id: 'b' }]);
    if (role === 'codeweaver' && call === 1) return writes(`${step}.txt`, step);
    return role === 'spiritmender' && call === 1 ? runs('cat a.txt b.txt > both.txt') : undefined;
  });
  const together = 'test ! -e a.txt || test ! -e b.txt || test -e both.txt';
  expect(await bench.start({ ward: [together] })).toMatchObject({ outcome: 'ok', output: { ward: 'green' } });
  expect(bench.turnsOf('spiritmender')).toHaveLength(1);
  expect(bench.read('both.txt')).toBe('ab');
});

/** Content everywhere but in the files of the quest itself, so that only the last Ward sees it. */
const ONLY_WHOLE = 'case "$PWD" in */work) test -e mended.txt;; esac';

test('[Q6] a failure that only Ward on the whole sees is fixed in a separate step before the review', async () => {
  const bench = new QuestBench(({ role, call }) =>
    role === 'spiritmender' && call === 1 ? writes('mended.txt', 'yes') : undefined,
  );
  expect(await bench.start({ ward: [ONLY_WHOLE] })).toMatchObject({
    outcome: 'ok',
    output: {
      ward: 'green',
      steps: [
        { id: 'one', kind: 'step' },
        { id: 'ward-1', kind: 'repair' },
      ],
    },
  });
  expect(bench.turnsOf('lawbringer')).toHaveLength(1);
});

test('[L5] a whole that Ward never passes is partial, and said to be red', async () => {
  const bench = new QuestBench(() => undefined);
  expect(await bench.start({ ward: [ONLY_WHOLE] })).toMatchObject({ outcome: 'partial', output: { ward: 'red' } });
  expect(bench.turnsOf('spiritmender')).toHaveLength(2);
  expect(bench.turnsOf('lawbringer')).toHaveLength(0);
});

test('[Q6] what Lawbringer finds is fixed, and a new session reviews the fixed files', async () => {
  const bench = new QuestBench(({ role, visit, call }) => {
    if (role === 'lawbringer' && visit === 1) {
      const finding = {
        stepId: 'review',
        targetRole: 'spiritmender',
        reason: 'a typo',
        context: 'typo.txt:1',
        resume: false,
      };
      return signals('needs-role-followup', finding);
    }
    if (role === 'codeweaver' && call === 1) return writes('typo.txt', 'helo');
    return role === 'spiritmender' && call === 1 ? writes('typo.txt', 'hello') : undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok', output: { findings: null } });
  expect(bench.read('typo.txt')).toBe('hello');
  const [first, second] = bench.turnsOf('lawbringer');
  expect(second?.seen).toBe(first?.seen);
  expect(second?.prompt).toContain('+hello');
  expect(bench.turnsOf('spiritmender')[0]?.prompt).toContain('typo.txt:1');
});

test('[L5] findings that never end leave the quest partial, with what is found', async () => {
  const bench = new QuestBench(({ role }) =>
    role === 'lawbringer'
      ? signals('needs-role-followup', {
          stepId: 'review',
          targetRole: 'spiritmender',
          reason: 'ugly',
          context: 'all of it',
          resume: false,
        })
      : undefined,
  );
  expect(await bench.start()).toMatchObject({
    outcome: 'partial',
    failure: { code: 'QUEST_PARTIAL' },
    output: { findings: expect.stringContaining('ugly') },
  });
  expect(bench.turnsOf('lawbringer')).toHaveLength(4);
});

test('[L5] a step that fails leaves the quest partial, with all that is merged and what was skipped', async () => {
  const bench = new QuestBench(({ role, step, call }) => {
    if (role === 'pathseeker') return plan([{ id: 'good' }, { id: 'bad' }, { id: 'later', after: ['bad'] }]);
    if (role !== 'codeweaver') return undefined;
    if (step === 'bad') {
      const lost = { stepId: step, targetRole: 'spiritmender', reason: 'r', context: 'c', resume: true };
      return signals('needs-role-followup', lost);
    }
    return call === 1 ? writes(`${step}.txt`, step) : undefined;
  });
  const rest = await bench.start();
  expect(rest).toMatchObject({
    outcome: 'partial',
    failure: { code: 'QUEST_PARTIAL' },
    output: {
      steps: [
        { id: 'good', outcome: 'ok' },
        { id: 'bad', outcome: 'failed', summary: expect.stringContaining('asked for others five times') },
        { id: 'later', outcome: 'skipped' },
      ],
    },
  });
  expect(bench.read('good.txt')).toBe('good');
});
