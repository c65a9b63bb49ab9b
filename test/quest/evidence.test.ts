import { expect, test } from 'vitest';
import { plan, QuestBench, signals, writes } from './quest-bench.ts';

const CONTEXT = 'given a file with a BOM';

/** Two steps, the second after the first; the requirements name a situation. */
async function played(): Promise<QuestBench> {
  const bench = new QuestBench(({ role, step, call, visit }) => {
    if (role === 'chaoswhisperer') {
      return signalsWith('set_requirements', { requirements: ['It greets.'], contexts: [CONTEXT], observables: [] });
    }
    if (role === 'pathseeker') return plan([{ id: 'one' }, { id: 'two', after: ['one'] }]);
    if (role === 'codeweaver' && call === 1 && visit === 1) return writes(`${step}.txt`, `new in ${step}\n`);
    return undefined;
  });
  expect(await bench.start({ ward: ['echo all fine'] })).toMatchObject({ outcome: 'ok' });
  return bench;
}

const signalsWith = (name: string, input: Parameters<typeof signals>[1]) => {
  const reply = signals('complete', input);
  if (reply.kind !== 'answered') throw new Error('A reply was expected.');
  return { ...reply, toolCalls: reply.toolCalls.map((call) => ({ ...call, name, arguments: input })) };
};

test('[A7] a tester, a follower and the last reviewer get evidence: the diff, the checks, what others made', async () => {
  const bench = await played();
  const prompt = (role: string, step: string) => bench.turnsOf(role, step)[0]?.prompt ?? '';

  const siege = prompt('siegemaster', 'one');
  expect(siege).toMatch(/^The step to test is "one"/);
  expect(siege).not.toContain('Your step is');
  expect(siege).toContain('Codeweaver says: codeweaver did one');
  expect(siege).toContain('The engine ran echo all fine on these files: all passed.');
  expect(siege).toContain('+new in one');

  expect(prompt('codeweaver', 'one')).not.toContain('Done before this step');
  expect(prompt('codeweaver', 'two')).toContain('- one: codeweaver did one [files: one.txt]');
  for (const [role, step] of [
    ['codeweaver', 'two'],
    ['siegemaster', 'two'],
    ['lawbringer', 'review'],
  ] as const) {
    expect(prompt(role, step)).toContain(`Contexts:\n- ${CONTEXT}`);
  }
  const law = prompt('lawbringer', 'review');
  expect(law).toContain('one (ok): codeweaver did one [files: one.txt]');
  expect(law).toContain('all passed. The output ended with:\n\nall fine');
  expect(law).toContain('+new in two');
});

test('[A7] a tester that waited for a fix gets the changes as they are now', async () => {
  const bench = new QuestBench(({ role, step, call, visit }) => {
    if (role === 'codeweaver' && call === 1) return writes('gate.txt', `visit ${visit}\n`);
    if (role === 'siegemaster' && visit === 1) {
      const context = 'gate.txt says 1; it should say 2.';
      return signals('needs-role-followup', {
        stepId: step,
        targetRole: 'codeweaver',
        reason: 'a gap',
        context,
        resume: true,
      });
    }
    return undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  const [first, second] = bench.turnsOf('siegemaster');
  expect(first?.prompt).toContain('+visit 1');
  expect(second?.prompt).toContain('codeweaver is done');
  expect(second?.prompt).toContain('+visit 2');
});

test('[A7] who fixes a red Ward gets the output, the step and its changes', async () => {
  const bench = new QuestBench(({ role, call }) => {
    if (role === 'codeweaver' && call === 1) return writes('gate.txt', 'shut\n');
    if (role === 'spiritmender' && call === 1) return writes('gate.txt', 'open\n');
    return undefined;
  });
  expect(await bench.start({ ward: ['test ! -f gate.txt || grep open gate.txt'] })).toMatchObject({ outcome: 'ok' });
  const [fix] = bench.turnsOf('spiritmender');
  expect(fix?.prompt).toContain('Ward fails on the step "one"');
  expect(fix?.prompt).toContain('It is done when:\n- it is there');
  expect(fix?.prompt).toContain('+shut');
});
