import { describe, expect, test } from 'vitest';
import { toArray } from '../../model/append-list.ts';
import type { Expression } from '../../model/expression.ts';
import type { TurnWork } from '../../model/workflow.ts';
import { agent, ask, definitionOf, end, fixed, pool, to, work } from '../../testing/definitions.ts';
import { binary, equals, literal, member, variable } from '../../testing/expressions.ts';
import { call, TestedRun } from '../../testing/tested-run.ts';

const REVIEW: Expression = { kind: 'parsed-call', tool: 'review_work' };
const improvement = member(member(REVIEW, 'arguments'), 'improvement_needed');
const logical = (operator: '&&' | '||', left: Expression, right: Expression): Expression => ({
  kind: 'logical',
  operator,
  left,
  right,
});

/** One turn of a reviewer with two reply tools; its state is left as the test says. */
function reviewing(transitions: readonly ReturnType<typeof to>[], parts: Partial<TurnWork> = {}): TestedRun {
  const turn = { ...ask('reviewer', 'Review it.'), ...parts } as TurnWork;
  const states = [work('review', turn, { transitions }), end('code'), end('stop')];
  return new TestedRun(definitionOf(states, { parsingTools: ['review_work', 'take_position'] }));
}

/** As the founding document has it: "Looks good" leads nowhere. */
const documented = () => reviewing([to('code', equals(improvement, true)), to('stop', equals(improvement, false))]);

const said = (run: TestedRun) => toArray(run.snapshot.tasks['t1']?.turn?.messages ?? { items: [], length: 0 });

const CALL_2 = { kind: 'actor.call', task: 't1', agent: 'reviewer', call: 2, attempt: 1 };

describe('[A4] a structured reply that is owed', () => {
  test('is asked for again by name when text arrives instead, and then ends the turn', () => {
    const run = documented();
    run.says('t1', 'Looks good.');
    expect(run.last.effects).toEqual([CALL_2]);
    expect(said(run).at(-1)).toMatchObject({ author: 'troupe', to: 'reviewer', role: 'user' });
    expect(said(run).at(-1)?.content).toMatch(/^Call `review_work` now\./);
    run.says('t1', '', { toolCalls: [call('p1', 'review_work', { improvement_needed: false })] });
    expect(run.path()).toEqual(['review', 'stop']);
  });

  test('is REPLY_OWED when text comes a second time, with agent, state, tool and what to do', () => {
    const run = documented();
    run.says('t1', 'Looks good.');
    run.says('t1', 'As I said, it looks good.');
    expect(run.snapshot.result).toMatchObject({
      outcome: 'failed',
      failure: {
        code: 'REPLY_OWED',
        message: 'reviewer was asked twice for `review_work` in state review and did not call it.',
        hint: expect.stringContaining('troupe logs'),
      },
    });
    expect(run.ofKind('turn.nudged')).toHaveLength(1);
  });

  test('is not another reply tool: that is refused by name, and ends nothing', () => {
    const run = documented();
    run.says('t1', '', { toolCalls: [call('p1', 'take_position', { stance: 'agree' })] });
    expect(said(run).at(-1)).toMatchObject({ role: 'tool', isError: true });
    expect(said(run).at(-1)?.content).toMatch(/^This turn ends with `review_work`; `take_position` belongs to another/);
    expect(run.last.effects).toEqual([CALL_2]);
    run.says('t1', '', { toolCalls: [call('p2', 'review_work', { improvement_needed: true })] });
    expect(run.path()).toEqual(['review', 'code']);
    expect(run.snapshot.agents['reviewer']?.parsingCalls.map(({ name }) => name)).toEqual(['review_work']);
  });

  test('asked for by name after a wrong tool, it is not asked for a third time', () => {
    const run = documented();
    run.says('t1', '', { toolCalls: [call('p1', 'take_position')] });
    run.says('t1', '', { toolCalls: [call('p2', 'take_position')] });
    expect(run.snapshot.result?.failure?.code).toBe('REPLY_OWED');
    const talked = documented();
    talked.says('t1', '', { toolCalls: [call('p1', 'take_position')] });
    talked.says('t1', 'Fine.');
    expect(talked.snapshot.result?.failure?.code).toBe('REPLY_OWED');
  });

  test('counts when it comes together with a wrong one', () => {
    const run = documented();
    const both = [call('p1', 'take_position'), call('p2', 'review_work', { improvement_needed: false })];
    run.says('t1', '', { toolCalls: both });
    expect(run.path()).toEqual(['review', 'stop']);
    expect(run.snapshot.agents['reviewer']?.parsingCalls.map(({ name }) => name)).toEqual(['review_work']);
  });

  test('leads to the state’s transition for a failure', () => {
    const on = { failed: [to('code')] };
    const turn = { ...ask('reviewer', 'Review it.'), reply: ['review_work'] } as TurnWork;
    const states = [work('review', turn, { transitions: [to('stop')], on }), end('code'), end('stop')];
    const run = new TestedRun(definitionOf(states, { parsingTools: ['review_work'] }));
    run.says('t1', 'Fine.');
    run.says('t1', 'Fine.');
    expect(run.path()).toEqual(['review', 'code']);
  });
});

describe('[A4] the reply that a turn owes', () => {
  const owes = (run: TestedRun) => {
    const [started] = run.ofKind('task.started');
    return started?.work.kind === 'turn' ? started.work.reply : undefined;
  };

  test('is derived where every way out of the state waits for a reply', () => {
    expect(owes(documented())).toEqual(['review_work']);
    const both = logical('&&', equals(variable('tries'), 1), equals(improvement, true));
    expect(owes(reviewing([to('stop', both)]))).toEqual(['review_work']);
    expect(owes(reviewing([to('stop', REVIEW)]))).toEqual(['review_work']);
    expect(owes(reviewing([to('stop', logical('||', equals(improvement, true), REVIEW))]))).toEqual(['review_work']);
  });

  test('is nothing where the author says what follows text', () => {
    expect(owes(reviewing([to('code', equals(improvement, true)), to('stop')]))).toBeUndefined();
    const late = logical('||', equals(variable('tries'), 3), equals(improvement, true));
    expect(owes(reviewing([to('stop', late)]))).toBeUndefined();
    expect(owes(reviewing([to('stop', binary('!==', improvement, literal(true)))]))).toBeUndefined();
    expect(owes(reviewing([to('stop', equals(improvement, null))]))).toBeUndefined();
    expect(owes(reviewing([to('stop', equals(improvement, true))], { reply: [] }))).toBeUndefined();
  });

  test('is the one that the turn declares, also if the state has a transition for everything else', () => {
    const run = reviewing([to('code', equals(improvement, true)), to('stop')], { reply: ['review_work'] });
    expect(owes(run)).toEqual(['review_work']);
    run.says('t1', 'Looks good.');
    run.says('t1', 'Looks good.');
    expect(run.snapshot.result?.failure?.code).toBe('REPLY_OWED');
  });

  test('is never a tool that the role does not have', () => {
    expect(owes(reviewing([to('stop')], { reply: ['approve'] }))).toBeUndefined();
    const other = equals(member(member({ kind: 'parsed-call', tool: 'approve' }, 'arguments'), 'ok'), true);
    expect(owes(reviewing([to('stop', other)]))).toBeUndefined();
  });

  test('is not derived for the units of a pool, since leaving the state does not depend on them', () => {
    const turns = fixed({ one: [] }, ask('reviewer', 'Review it.'));
    const states = [work('review', pool(turns), { transitions: [to('stop', REVIEW)] }), end('stop')];
    const run = new TestedRun(definitionOf(states, { agents: [agent('reviewer')], parsingTools: ['review_work'] }));
    const works = run.ofKind('task.started').map((one) => one.work);
    expect(works.some((one) => one.kind === 'turn' && one.reply !== undefined)).toBe(false);
  });

  test('[PD4] may be a line of text at the second request, if the turn names the words', () => {
    const parts = { reply: ['review_work'], replyWords: ['APPROVE', 'REVISE'] };
    const run = reviewing([to('stop')], parts);
    run.says('t1', 'APPROVE: it works.');
    expect(run.ofKind('turn.nudged')).toHaveLength(1);
    run.says('t1', 'I have no tools.\n**REVISE_BEST**: fix the parser');
    expect(run.snapshot.result?.outcome).toBe('ok');
    const prose = reviewing([to('stop')], parts);
    prose.says('t1', 'Fine.');
    prose.says('t1', 'I approve of it.');
    expect(prose.snapshot.result?.failure?.code).toBe('REPLY_OWED');
  });
});
