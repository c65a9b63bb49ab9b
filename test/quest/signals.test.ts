import { expect, test } from 'vitest';
import type { Fact } from '../../src/core/record/fact.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { plan, QuestBench, requirements, signals, writes, type Heard } from './quest-bench.ts';

const followup = (step: string, targetRole: string, more: JsonObject = {}) =>
  signals('needs-role-followup', { stepId: step, targetRole, reason: 'why', context: 'what', resume: true, ...more });

/** Who spoke within the step, in order. */
const speakers = (bench: QuestBench) =>
  bench.calls.filter(({ call, run }) => call === 1 && run.includes('/')).map(({ role }) => role);

const settledOf = async (bench: QuestBench, step = 'one'): Promise<Fact | undefined> =>
  ((await bench.steps()).get(step) ?? []).at(-1);

const isFirst = ({ visit, call }: Heard): boolean => visit === 1 && call === 1;

test('[Q3] with resume the asker goes on in its own session after the other role', async () => {
  const bench = new QuestBench((heard) => {
    if (heard.role === 'codeweaver' && isFirst(heard)) return followup(heard.step, 'spiritmender');
    return undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  expect(speakers(bench)).toEqual(['codeweaver', 'spiritmender', 'codeweaver', 'siegemaster']);
  const [, second] = bench.turnsOf('codeweaver');
  expect(second?.prompt).toContain('spiritmender is done: spiritmender did one');
  expect(second?.seen).toBeGreaterThan(2);
  expect(bench.turnsOf('spiritmender')[0]?.prompt).toContain(
    'by codeweaver.\n\n# Why\n\nwhy\n\n# What to know\n\nwhat\n\n# The step\n\nThe step is "one"',
  );
});

test('[Q3] without resume the flow goes on where the asker would have been complete', async () => {
  const bench = new QuestBench((heard) => {
    if (heard.role === 'codeweaver' && isFirst(heard)) return followup(heard.step, 'spiritmender', { resume: false });
    return undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  expect(speakers(bench)).toEqual(['codeweaver', 'spiritmender', 'siegemaster']);
});

test('[Q3] [Q6] a followup of a followup: gaps of Siegemaster go to Codeweaver, who needs Spiritmender', async () => {
  const bench = new QuestBench((heard) => {
    if (heard.role === 'siegemaster' && isFirst(heard)) return followup(heard.step, 'codeweaver');
    if (heard.role === 'codeweaver' && heard.visit === 2) return followup(heard.step, 'spiritmender');
    return undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  expect(speakers(bench)).toEqual([
    'codeweaver',
    'siegemaster',
    'codeweaver',
    'spiritmender',
    'codeweaver',
    'siegemaster',
  ]);
});

test('[Q3] those who wait for each other are reported as a cycle, with the chain', async () => {
  const bench = new QuestBench(({ role, step }) => {
    if (role === 'codeweaver') return followup(step, 'spiritmender');
    return role === 'spiritmender' ? followup(step, 'codeweaver') : undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'failed' });
  expect(await settledOf(bench)).toMatchObject({
    outcome: 'failed',
    failure: { code: 'FOLLOWUP_CYCLE', message: expect.stringContaining('codeweaver -> spiritmender -> codeweaver') },
  });
});

test('[Q3] handing over without end is stopped at a depth, with the chain', async () => {
  const bench = new QuestBench(({ role, step }) => {
    if (role === 'codeweaver') return followup(step, 'spiritmender', { resume: false });
    return role === 'spiritmender' ? followup(step, 'codeweaver', { resume: false }) : undefined;
  });
  expect(await bench.start()).toMatchObject({ outcome: 'failed' });
  expect(await settledOf(bench)).toMatchObject({ failure: { code: 'FOLLOWUP_DEPTH' } });
  expect(speakers(bench)).toHaveLength(5);
});

test('[Q3] a question frees the slot, is answered later, and the same session goes on', async () => {
  const bench = new QuestBench((heard) => {
    const { role, step, call } = heard;
    if (role === 'pathseeker') return plan([{ id: 'asks' }, { id: 'b' }, { id: 'c' }, { id: 'd' }]);
    if (role !== 'codeweaver' || step !== 'asks' || call > 1) return undefined;
    if (heard.visit === 1) {
      return signals('needs-user-input', { stepId: step, question: 'Which colour?', context: 'It is seen by all.' });
    }
    return writes('colour.txt', heard.prompt);
  });
  const waiting = await bench.start();
  expect(waiting).toMatchObject({ status: 'waiting', questions: [{ text: expect.stringContaining('Which colour?') }] });
  expect(bench.read('readme.txt')).toBe('a sample\n');
  const units = Object.values((await bench.host.snapshot(bench.run)).tasks)
    .find((task) => task.units)
    ?.units?.flat();
  expect(units).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 'asks', status: 'resting' }),
      expect.objectContaining({ id: 'b', outcome: 'ok' }),
      expect.objectContaining({ id: 'd', outcome: 'ok' }),
    ]),
  );
  expect(await bench.answer('green')).toMatchObject({ outcome: 'ok' });
  expect(bench.read('colour.txt')).toMatch(/^A person answered: green\n\n# Hand in\n/);
  expect(bench.turnsOf('codeweaver', 'asks')[1]?.seen).toBeGreaterThan(2);
});

test('[L3] an agent that only asks is stopped, with a name', async () => {
  const bench = new QuestBench(({ role, step }) =>
    role === 'codeweaver' ? signals('needs-user-input', { stepId: step, question: 'And?', context: 'c' }) : undefined,
  );
  let rest = await bench.start();
  for (let asked = 0; rest.status === 'waiting' && asked < 20; asked += 1) rest = await bench.answer('go on');
  expect(rest).toMatchObject({ outcome: 'failed' });
  expect(await settledOf(bench)).toMatchObject({ failure: { code: 'TOO_MANY_QUESTIONS' } });
  expect(bench.turnsOf('codeweaver')).toHaveLength(11);
});

test('[Q3] ChaosWhisperer asks before it locks the requirements', async () => {
  const bench = new QuestBench(({ role, visit, prompt }) => {
    if (role !== 'chaoswhisperer') return undefined;
    return visit === 1
      ? signals('needs-user-input', { stepId: 'requirements', question: 'Whom?', context: 'c' })
      : requirements([prompt]);
  });
  expect(await bench.start()).toMatchObject({ status: 'waiting' });
  expect(await bench.answer('Everybody')).toMatchObject({ outcome: 'ok' });
  expect(bench.turnsOf('pathseeker')[0]?.prompt).toContain('A person answered: Everybody');
});

test('[Q3] partially-complete goes on in a fresh session with the place and the diff', async () => {
  const bench = new QuestBench((heard) => {
    const { role, step, visit, call } = heard;
    if (role !== 'codeweaver' || visit > 1) return undefined;
    if (call === 1) return writes('half.txt', 'the first half');
    return signals('partially-complete', { stepId: step, progress: 'half', continuationPoint: 'line 2 of half.txt' });
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  const [first, second] = bench.turnsOf('codeweaver');
  expect(second?.seen).toBe(first?.seen);
  expect(second?.prompt).toContain('Go on here: line 2 of half.txt');
  expect(second?.prompt).toContain('+the first half');
  expect(second?.prompt).toContain('Your step is "one"');
});

test('[Q3] an agent that is never done is stopped, with a name', async () => {
  const bench = new QuestBench(({ role, step }) =>
    role === 'codeweaver'
      ? signals('partially-complete', { stepId: step, progress: 'a bit', continuationPoint: 'there' })
      : undefined,
  );
  expect(await bench.start()).toMatchObject({ outcome: 'failed' });
  expect(await settledOf(bench)).toMatchObject({ failure: { code: 'NEVER_DONE' } });
});

test('[Q1] PathSeeker splits a step: its parts join the pool, and steps that wait for it wait for them', async () => {
  const bench = new QuestBench((heard) => {
    const { role, step, call, run } = heard;
    if (role === 'pathseeker' && !run.includes('/')) {
      return plan([
        { id: 'big', files: ['big.txt', 'p.txt', 'q.txt'] },
        { id: 'last', after: ['big'], checks: ['cat p.txt q.txt big.txt'] },
      ]);
    }
    if (role === 'pathseeker')
      return plan([
        { id: 'p', files: ['p.txt'] },
        { id: 'q', files: ['q.txt'], after: ['p'] },
      ]);
    if (role !== 'codeweaver') return undefined;
    if (step === 'big' && isFirst(heard)) return followup(step, 'pathseeker');
    return call === 1 ? writes(`${step.replace('big.', '')}.txt`, step) : undefined;
  });
  const rest = await bench.start();
  expect(rest).toMatchObject({
    outcome: 'ok',
    output: { steps: [{ id: 'big' }, { id: 'last' }, { id: 'big.p' }, { id: 'big.q' }] },
  });
  const order = bench.turnsOf('codeweaver').map(({ step }) => step);
  expect(order).toEqual(['big', 'big', 'big.p', 'big.q', 'last']);
  expect(bench.turnsOf('codeweaver', 'big')[1]?.prompt).toContain('leave them: p (Do p), q (Do q)');
});

test('[Q2] a signal that the role may not send, and one for another step, are refused', async () => {
  const bench = new QuestBench(({ role, step, call }) => {
    if (role !== 'siegemaster' || call > 1) return undefined;
    return signals('needs-user-input', { stepId: step, question: 'q', context: 'c' });
  });
  expect(await bench.start()).toMatchObject({ outcome: 'ok' });
  const facts = (await bench.steps()).get('one') ?? [];
  const sentBack = facts.filter((fact) => fact.kind === 'tool.finished' && fact.accepted === false);
  expect(sentBack).toHaveLength(1);
  const other = new QuestBench(({ role, call }) =>
    role === 'codeweaver' && call === 1 ? signals('complete', { stepId: 'two', summary: 's' }) : undefined,
  );
  expect(await other.start()).toMatchObject({ outcome: 'ok' });
  const finished = ((await other.steps()).get('one') ?? []).find((fact) => fact.kind === 'tool.finished');
  expect(finished).toMatchObject({ accepted: false, content: expect.stringContaining('Your step is one') });
});

test('[L6] [Q3] a question that another process asked is answered, and the step goes on', async () => {
  const bench = new QuestBench((heard) => {
    const { role, step } = heard;
    if (role === 'pathseeker') return plan([{ id: 'one' }, { id: 'two', after: ['one'] }]);
    if (role !== 'codeweaver' || step !== 'one') return undefined;
    if (isFirst(heard)) return writes('kept.txt', 'before the question');
    return heard.visit === 1
      ? signals('needs-user-input', { stepId: step, question: 'Well?', context: 'c' })
      : undefined;
  });
  expect(await bench.start()).toMatchObject({ status: 'waiting' });
  await bench.restart();
  expect(await bench.answer('yes')).toMatchObject({ outcome: 'ok' });
  expect(bench.read('kept.txt')).toBe('before the question');
  expect(bench.turnsOf('codeweaver', 'one')).toHaveLength(2);
});

test('[Q5] an agent that ends without a signal is nudged once, then its step has crashed and the quest is partial', async () => {
  const bench = new QuestBench(({ role, step }) => {
    if (role === 'pathseeker') return plan([{ id: 'good' }, { id: 'mute' }]);
    return role === 'codeweaver' && step === 'mute' ? says('I am done, I think.') : undefined;
  });
  expect(await bench.start()).toMatchObject({
    outcome: 'partial',
    output: {
      steps: [
        { id: 'good', outcome: 'ok' },
        { id: 'mute', outcome: 'crashed' },
      ],
    },
  });
  expect(await settledOf(bench, 'mute')).toMatchObject({ outcome: 'crashed', failure: { code: 'REPLY_OWED' } });
});
