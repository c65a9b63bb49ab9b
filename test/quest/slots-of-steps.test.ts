import { expect, test } from 'vitest';
import { plan, QuestBench, signals, writes } from './quest-bench.ts';

const followup = (step: string, targetRole: string) =>
  signals('needs-role-followup', { stepId: step, targetRole, reason: 'why', context: 'what', resume: true });

test('[Q1] [Q3] a called agent works in the slot of the step that needs it: the next step waits for its end', async () => {
  const bench = new QuestBench(({ role, step, visit, call }) => {
    if (role === 'pathseeker') return plan(['a', 'b', 'c', 'later'].map((id) => ({ id })));
    if (role === 'codeweaver' && visit === 1 && call === 1 && step !== 'later') return followup(step, 'spiritmender');
    return undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  const within = bench.calls.filter(({ run }) => run.includes('/')).map(({ role, step }) => `${role} ${step}`);
  const before = new Set(within.slice(0, within.indexOf('codeweaver later')));
  // One of the three is through before the fourth begins; no step lost its slot to an agent that was called in.
  const through = ['a', 'b', 'c'].filter((step) => before.has(`siegemaster ${step}`));
  expect(through.length).toBeGreaterThan(0);
  for (const step of ['a', 'b', 'c']) expect(within.filter((one) => one === `spiritmender ${step}`)).toHaveLength(1);
  const facts = await bench.bench.facts(bench.run);
  expect(facts.filter((fact) => fact.kind === 'unit.moved')).toEqual([]);
  expect((await bench.bench.journal.runs({ parent: bench.run })).length).toBe(4);
});

test('[Q1] a part is split again, and steps that wait for the whole wait for the last of it', async () => {
  const bench = new QuestBench(({ role, step, visit, call, run }) => {
    if (role === 'pathseeker' && !run.includes('/')) {
      return plan([{ id: 'big' }, { id: 'last', after: ['big'], checks: ['cat big.p.x.txt big.p.y.txt'] }]);
    }
    if (role === 'pathseeker' && step === 'big') return plan([{ id: 'p' }]);
    if (role === 'pathseeker') return plan([{ id: 'x' }, { id: 'y', after: ['x'] }]);
    if (role !== 'codeweaver') return undefined;
    if ((step === 'big' || step === 'big.p') && visit === 1) return followup(step, 'pathseeker');
    return call === 1 ? writes(`${step}.txt`, step) : undefined;
  });
  expect(await bench.start()).toMatchObject({
    outcome: 'ok',
    output: { steps: ['big', 'last', 'big.p', 'big.p.x', 'big.p.y'].map((id) => ({ id, outcome: 'ok' })) },
  });
  const order = bench.turnsOf('codeweaver').map(({ step }) => step);
  expect([...new Set(order)]).toEqual(['big', 'big.p', 'big.p.x', 'big.p.y', 'last']);
});
