import { describe, expect, test } from 'vitest';
import { applyFact } from '../fold/apply.ts';
import { bodyHash } from '../model/ids.ts';
import { misfits, redefinition } from './redefine.ts';
import { agent, ask, context, definitionOf, end, fixed, pool, to, wait, work } from '../testing/definitions.ts';
import { TestedRun } from '../testing/tested-run.ts';
import type { State } from '../model/workflow.ts';

const start = (states: readonly State[]): TestedRun => new TestedRun(definitionOf(states));
const question = work('question', wait(1000), { transitions: [to('stop')] });

describe('[ST5] a run continues with a different definition only if that has a place for its work in progress', () => {
  test('states it left may be gone, and later ones may differ', () => {
    const run = start([work('first', { kind: 'none' }, { transitions: [to('question')] }), question, end('stop')]);
    expect(misfits(definitionOf([question, work('later', wait(1), {}), end('stop')]), run.snapshot)).toEqual([]);
  });

  test('the state it is in', () => {
    const run = start([question, end('stop')]);
    expect(misfits(definitionOf([end('stop')]), run.snapshot)).toEqual([
      'It stands in the state "question", which is no longer there.',
    ]);
    expect(misfits(definitionOf([end('question')]), run.snapshot)).toEqual([
      'It is at work in the state "question", which is an end now.',
    ]);
  });

  test('the agent that speaks, and its conversation', () => {
    const run = start([work('talk', ask('coder'), { transitions: [to('stop')] }), end('stop')]);
    const states = [work('talk', ask('other'), { transitions: [to('stop')] }), end('stop')];
    expect(misfits(definitionOf(states, { agents: [agent('other', { context: 'elsewhere' })] }), run.snapshot)).toEqual(
      [
        'The agent "coder" is at work, and is no longer there.',
        'The conversation "talk" is under way, and is no longer there.',
      ],
    );
  });

  test('the units of a pool: one that is not over must be there, and none may be new', () => {
    const units = (...ids: readonly string[]): State =>
      work('many', pool(fixed(Object.fromEntries(ids.map((id) => [id, []])))), { transitions: [to('stop')] });
    const run = start([units('a', 'b'), end('stop')]);
    expect(misfits(definitionOf([units('a', 'c'), end('stop')]), run.snapshot)).toEqual([
      'The unit "b" of "many" is not over, and is no longer there.',
      'The unit "c" of "many" is new, and the pool has begun without it.',
    ]);
    expect(misfits(definitionOf([work('many', wait(1), {}), end('stop')]), run.snapshot)).toEqual([
      'The state "many" works off a list, and is not a pool now.',
    ]);
  });

  test('a child workflow in progress, and an input without a value', () => {
    const call = { kind: 'call', workflow: 'below', input: {} } as const;
    const run = start([work('call', call, { transitions: [to('stop')] }), end('stop')]);
    const changed = definitionOf([work('call', call, {}), end('stop')]);
    const inputs = [{ name: 'goal', type: 'string', description: '', required: true }] as const;
    expect(misfits({ ...changed, workflow: { ...changed.workflow, inputs } }, run.snapshot)).toEqual([
      'The input "goal" is needed now, and the run was started without it.',
      'The workflow "below" is under way below it, and is no longer called.',
    ]);
  });
});

test('[ST5] [L2] the fact adds what is new, and keeps what the run has', () => {
  const run = new TestedRun(definitionOf([question, end('stop')], { data: { kept: 1 } }));
  const changed = definitionOf([question, end('stop')], {
    data: { kept: 2, added: 3 },
    contexts: [
      context('talk', { maxLength: 77 }),
      { name: 'new', startingMessages: [{ role: 'user', content: 'Hello', author: 'user' }], maxLength: 5 },
    ],
  });
  const fact = redefinition(changed, run.snapshot, { hash: bodyHash('h'), by: 'ada' });
  expect(fact).toMatchObject({ kind: 'run.redefined', definition: 'h', by: 'ada', data: { added: 3 } });
  const after = applyFact(run.snapshot, fact, 99);
  expect(after).toMatchObject({ definition: 'h', data: { kept: 1, added: 3 }, seq: run.snapshot.seq + 1 });
  expect(after.contexts['talk']?.maxLength).toBe(77);
  expect(after.contexts['new']).toMatchObject({ maxLength: 5, chars: 5 });
  expect(redefinition(changed, after, { hash: bodyHash('i'), by: 'ada' })).toEqual({
    kind: 'run.redefined',
    definition: 'i',
    by: 'ada',
  });
});
