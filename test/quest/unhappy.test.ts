import { expect, test } from 'vitest';
import { says } from '../../src/host/testing/test-world.ts';
import { plan, QuestBench, runs, signals, writes } from './quest-bench.ts';

test('[L5] a Lawbringer that ends twice without a signal leaves the quest partial, with all that is merged', async () => {
  const bench = new QuestBench(({ role, call }) => {
    if (role === 'lawbringer') return says('Looks fine to me.');
    return role === 'codeweaver' && call === 1 ? writes('one.txt', 'one') : undefined;
  });
  expect(await bench.start()).toMatchObject({
    outcome: 'partial',
    failure: { code: 'QUEST_PARTIAL' },
    output: { steps: [{ id: 'one', outcome: 'ok' }], findings: expect.stringContaining('could not be reviewed: ') },
  });
  expect(bench.read('one.txt')).toBe('one');
});

test.each([
  ['siegemaster', []],
  ['spiritmender', ['test -e mended.txt']],
])('[L4] nor is it for %s, who has the last word on the step', async (who, ward) => {
  const bench = new QuestBench(({ role, visit, call }) => {
    if (role === 'pathseeker') return plan([{ id: 'one', files: ['one.txt'] }]);
    if (role === 'codeweaver' && call === 1) return writes('one.txt', 'one');
    if (role !== who || visit > 1) return undefined;
    return [undefined, runs('rm one.txt; touch mended.txt'), undefined, writes('one.txt', 'again')][call];
  });
  expect(await bench.start({ ward })).toMatchObject({ outcome: 'ok' });
  expect(bench.read('one.txt')).toBe('again');
});

test('[Q3] an agent called while the work is half done is not asked for all of it', async () => {
  const bench = new QuestBench(({ role, step, visit, call }) => {
    if (role === 'pathseeker') return plan([{ id: 'one', files: ['one.txt'] }]);
    if (role !== 'codeweaver') return undefined;
    if (visit === 2) return call === 1 ? writes('one.txt', 'one') : undefined;
    const help = { targetRole: 'spiritmender', reason: 'r', context: 'c', resume: true };
    return signals('needs-role-followup', { stepId: step, ...help });
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  expect(bench.calls.filter(({ role }) => role === 'spiritmender')).toHaveLength(1);
});

/** As if half an hour were over at once, where there is a limit. */
function hurried(bench: QuestBench): QuestBench {
  const { world } = bench.bench.host();
  const shell: typeof world.shell = (command, { timeoutMs, ...run }) =>
    world.shell(command, { ...run, ...(timeoutMs === undefined ? {} : { timeoutMs: Math.min(timeoutMs, 1000) }) });
  bench.host = bench.bench.host({ shell }).host;
  return bench;
}

const HANGS = 'echo so far; sleep 600';

test.each([
  ['a step', `test -e mended.txt || { ${HANGS}; }`],
  ['a merge', `case "$PWD" in *scratch*) test -e mended.txt || { ${HANGS}; };; esac`],
  ['the whole', `case "$PWD" in */work) test -e mended.txt || { ${HANGS}; };; esac`],
])('[L3] a Ward that hangs on %s is stopped, and is fixed like any other', async (_where, command) => {
  const bench = hurried(
    new QuestBench(({ role, call }) =>
      role === 'spiritmender' && call === 1 ? writes('mended.txt', 'yes') : undefined,
    ),
  );
  expect(await bench.start({ ward: [command] })).toMatchObject({ outcome: 'ok', output: { ward: 'green' } });
  expect(bench.turnsOf('spiritmender')[0]?.prompt).toMatch(/so far[^]*took too long/);
});

test('[L4] what checks a step that is split is run when its parts are done, by the last of them', async () => {
  const bench = new QuestBench(({ role, step, visit, call, run }) => {
    if (role === 'pathseeker' && !run.includes('/')) {
      return plan([{ id: 'big', files: ['p.txt', 'q.txt'], checks: ['cat p.txt q.txt'] }]);
    }
    if (role === 'pathseeker')
      return plan([
        { id: 'p', files: ['p.txt'] },
        { id: 'q', files: ['q.txt'] },
      ]);
    if (role !== 'codeweaver') return undefined;
    if (step === 'big' && visit === 1) {
      const split = { targetRole: 'pathseeker', reason: 'r', context: 'c', resume: true };
      return signals('needs-role-followup', { stepId: step, ...split });
    }
    return call === 1 && step !== 'big' ? writes(`${step.replace('big.', '')}.txt`, step) : undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  expect(bench.turnsOf('codeweaver').map(({ step }) => step)).toEqual(['big', 'big', 'big.p', 'big.q']);
  expect(bench.turnsOf('codeweaver', 'big.p')[0]?.prompt).not.toContain('cat p.txt q.txt');
  expect(bench.turnsOf('codeweaver', 'big.q')[0]?.prompt).toContain('cat p.txt q.txt');
});
