import { describe, expect, test } from 'vitest';
import { foldRecords } from '../../fold/fold.ts';
import { taskId } from '../../model/ids.ts';
import { openQuestions } from '../../look/open-questions.ts';
import { needsPermission, openPermissions, permissionQuestion, permitOf } from './permit.ts';
import { openEffects, recover } from '../recover.ts';
import { agent, ask, definitionOf, end, fixed, pool, to, work } from '../../testing/definitions.ts';
import { call, TestedRun } from '../../testing/tested-run.ts';
import type { Work } from '../../model/workflow.ts';

const TALK = [agent('coder'), agent('reviewer', { context: 'other' })];

const doing = (what: Work = ask('coder'), loops = false) =>
  new TestedRun(
    definitionOf([work('start', what, { transitions: [to(loops ? 'start' : 'stop')] }), end()], {
      ask: ['execute_terminal', 'web_fetch'],
      agents: TALK,
    }),
  );

/** The agent wants to run two commands, fetch a page, and search. */
function asking(): TestedRun {
  const run = doing();
  const toolCalls = [
    call('c1', 'execute_terminal', { command: 'ls' }),
    call('c2', 'grep'),
    call('c3', 'execute_terminal', { command: 'rm x' }),
    call('c4', 'web_fetch', { url: 'http://x' }),
  ];
  run.says('t1', '', { toolCalls });
  return run;
}

const ran = (run: TestedRun) =>
  run.effects.flatMap((effect) => (effect.kind === 'tool.run' ? [effect.toolCall.id] : []));
const open = (run: TestedRun) => openPermissions(run.snapshot).map(({ toolCall }) => toolCall.id);

describe('[L10] a client that asks whether it may', () => {
  const wish = call('ask-1', 'Bash', { command: 'ls' });
  const wants = (run: TestedRun) => run.send({ kind: 'permission.wanted', task: taskId('t1'), call: wish }).effects;

  test('gets the same answer again, however often it asks, and also when it was no', () => {
    const run = doing();
    expect(wants(run)).toEqual([]);
    run.answers('permit/t1/ask-1', 'no');
    const refusal = { kind: 'permission.tell', task: 't1', toolCall: 'ask-1', isAllowed: false };
    expect([wants(run), wants(run)]).toEqual([[refusal], [refusal]]);
    expect(run.snapshot.permits).toEqual([]);
  });

  test.each(['fails', 'says'] as const)('asks nothing any longer once its call %s', (how) => {
    const run = doing(ask('coder'), true);
    wants(run);
    expect(open(run)).toEqual(['ask-1']);
    if (how === 'fails') run.fails('t1', { code: 'CLIENT_CRASHED', message: 'It was killed.', class: 'crash' });
    else run.says('t1', '', { toolCalls: [call('c2', 'read_file')] });
    expect(open(run)).toEqual([]);
  });
});

describe('[PE1] a tool that needs a person’s permission waits for it', () => {
  test('it is asked about with the agent, the tool and all its arguments, and not run; others are', () => {
    const run = asking();
    expect(ran(run)).toEqual(['c2']);
    expect(run.ofKind('permission.asked').map(({ toolCall }) => toolCall)).toEqual(['c1', 'c3', 'c4']);
    expect(openQuestions(run.snapshot)[0]).toEqual({
      id: 'permit/t1/c1',
      name: 'q1',
      kind: 'permission',
      text: 'coder wants to use execute_terminal with {"command":"ls"}. Allow it?',
      choices: ['yes', 'no', 'always'],
      state: 'start',
      at: 1000,
    });
  });

  test('very long arguments are cut, and the length is shown', () => {
    const run = doing();
    run.says('t1', '', { toolCalls: [call('c1', 'web_fetch', { url: 'x'.repeat(9000) })] });
    const text = openQuestions(run.snapshot)[0]?.text ?? '';
    expect(text.length).toBeLessThan(8200);
    expect(text).toContain('(1010 characters left out here)');
  });

  test('the turn continues when every call has a result, allowed or not', () => {
    const run = asking();
    run.toolReturns('t1', 'c2');
    run.answers('permit/t1/c1', 'yes');
    run.toolReturns('t1', 'c1');
    run.answers('permit/t1/c3', 'no');
    expect(run.last.effects).toEqual([]);
    expect(run.answers('permit/t1/c4', 'no').effects).toMatchObject([{ kind: 'actor.call', call: 2 }]);
  });

  test('calls that end the turn, or do not fit, are never asked about', () => {
    const definition = definitionOf([work('start', ask('coder'), { transitions: [to('stop')] }), end()], {
      ask: ['execute_terminal'],
      parsingTools: ['verdict'],
    });
    const ends = new TestedRun(definition);
    ends.says('t1', '', { toolCalls: [call('c1', 'execute_terminal'), call('c2', 'verdict')] });
    expect([ends.ofKind('permission.asked'), ends.snapshot.status]).toEqual([[], 'settled']);
    const unfit = new TestedRun(definition);
    unfit.says('t1', '', { toolCalls: [call('c1', 'execute_terminal')], rejected: { c1: 'No command.' } });
    expect(unfit.ofKind('permission.asked')).toEqual([]);
  });

  test('each agent needs its own permission, also in one pool', () => {
    const run = doing(
      pool({ kind: 'fixed', list: ['coder', 'reviewer'].map((id) => ({ id, after: [], work: ask(id) })) }),
    );
    for (const task of ['t2', 't3']) run.says(task, '', { toolCalls: [call('c1', 'web_fetch')] });
    run.answers('permit/t2/c1', 'always');
    expect(openPermissions(run.snapshot).map(({ agent: who }) => who)).toEqual(['reviewer']);
  });
});

describe('[PE2] yes, no and always', () => {
  test('yes lets this call happen and no other', () => {
    const run = asking();
    const step = run.answers('permit/t1/c1', ' Y ');
    expect(step.facts).toEqual([
      { kind: 'question.answered', question: 'permit/t1/c1', answer: 'yes', by: 'someone' },
      { kind: 'permission.settled', task: 't1', toolCall: 'c1', isAllowed: true, forAll: false, by: 'someone' },
    ]);
    expect(step.effects).toMatchObject([{ kind: 'tool.run', agent: 'coder', toolCall: { id: 'c1' } }]);
    expect([open(run), run.snapshot.permits]).toEqual([['c3', 'c4'], []]);
  });

  test('no is a result that the agent sees, with the person and a code', () => {
    const run = asking();
    const step = run.answers('permit/t1/c1', 'deny');
    expect(step.effects).toEqual([]);
    expect(run.ofKind('tool.finished').at(-1)).toMatchObject({
      toolCall: 'c1',
      isError: true,
      refused: 'PERMISSION_REFUSED',
      content: 'someone did not allow this call. Go on without it, or say what you need it for.',
    });
  });

  test('always lets the agent use the tool from now on, the calls that wait among them', () => {
    const run = asking();
    run.answers('permit/t1/c1', 'always');
    expect(ran(run)).toEqual(['c2', 'c1', 'c3']);
    expect([open(run), run.snapshot.permits]).toEqual([['c4'], ['coder/execute_terminal']]);
  });

  test('always holds in the next turn, and only for that tool', () => {
    const run = doing(ask('coder'), true);
    run.says('t1', '', { toolCalls: [call('c1', 'web_fetch')] });
    run.answers('permit/t1/c1', 'always');
    run.toolReturns('t1', 'c1');
    run.says('t1', 'done', { call: 2 });
    run.says('t2', '', { toolCalls: [call('c1', 'web_fetch'), call('c2', 'execute_terminal')] });
    expect(ran(run)).toEqual(['c1', 'c1']);
    expect(open(run)).toEqual(['c2']);
  });
});

describe('[PE3] an invalid answer changes nothing', () => {
  test.for([
    ['a word that is none of the three', 'permit/t1/c1', 'perhaps'],
    ['no word at all', 'permit/t1/c1', null],
    ['a call that needs no permission', 'permit/t1/c2', 'yes'],
    ['an unknown call', 'permit/t1/c9', 'yes'],
    ['another task', 'permit/t9/c1', 'yes'],
    ['a name that every object has', 'permit/constructor/c1', 'yes'],
  ] as const)('%s', ([, question, answer]) => {
    const run = asking();
    const before = run.snapshot;
    expect(run.answers(question, answer)).toEqual({ facts: [], snapshot: before, effects: [] });
  });

  test('the same answer a second time, or after the turn has ended', () => {
    const run = asking();
    run.answers('permit/t1/c1', 'yes');
    expect(run.answers('permit/t1/c1', 'no').facts).toEqual([]);
    run.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    expect(run.answers('permit/t1/c3', 'yes').facts).toEqual([]);
    expect(openQuestions(run.snapshot)).toEqual([]);
  });

  test('a result of a call that was not allowed', () => {
    const run = asking();
    expect(run.toolReturns('t1', 'c1').facts).toEqual([]);
    expect(open(run)).toContain('c1');
  });
});

describe('[PE4] after a crash nothing runs without permission', () => {
  test('open questions are asked again, allowed calls are run again', () => {
    const run = asking();
    run.answers('permit/t1/c3', 'yes');
    const folded = foldRecords(run.records);
    const again = recover(run.definition, folded, { epoch: 2, at: 2000 }).effects;
    expect(again).toEqual(openEffects(run.definition, folded));
    expect(again.map((effect) => (effect.kind === 'tool.run' ? effect.toolCall.id : effect.kind))).toEqual([
      'c2',
      'c3',
    ]);
    expect(openQuestions(folded).map(({ id }) => id)).toEqual(['permit/t1/c1', 'permit/t1/c4']);
  });

  test('a timeout while a person thinks ends the turn, and the question with it', () => {
    const states = [work('start', ask('coder'), { transitions: [to('stop')], timeoutMs: 100 }), end()];
    const run = new TestedRun(definitionOf(states, { ask: ['web_fetch'] }));
    run.says('t1', '', { toolCalls: [call('c1', 'web_fetch')] });
    run.timer('t1/deadline', 1100);
    expect(run.snapshot.result?.outcome).toBe('timeout');
    expect(run.answers('permit/t1/c1', 'yes').effects).toEqual([]);
  });
});

test('[PE1] names with slashes are kept apart', () => {
  const run = new TestedRun(
    definitionOf([work('start', pool(fixed({ a: [] })), { transitions: [to('stop')] }), end()]),
  );
  const role = { ...definitionOf([], { ask: ['grep'] }).roles['coder'] } as never;
  expect(needsPermission(role, permitOf('team/coder', 'grep'), run.snapshot)).toBe(true);
  expect(needsPermission(role, permitOf('grep', 'glob'), run.snapshot)).toBe(false);
  expect(needsPermission(undefined, permitOf('coder', 'grep'), run.snapshot)).toBe(false);
  expect(permissionQuestion('t1', 'a/b')).toBe('permit/t1/a/b');
});
