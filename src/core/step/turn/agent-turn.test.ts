import { describe, expect, test } from 'vitest';
import { toArray } from '../../model/append-list.ts';
import type { Activity } from '../../record/agent-fact.ts';
import { foldRecords } from '../../fold/fold.ts';
import { forkRecords } from '../../history/fork.ts';
import { runId, taskId } from '../../model/ids.ts';
import type { Role } from '../../model/role.ts';
import type { Definition } from '../../model/definition.ts';
import { SIGNALS } from '../../model/signal-name.ts';
import {
  ask,
  definitionOf,
  end,
  fixed,
  pool,
  tell,
  to,
  work,
  type DefinitionParts,
} from '../../testing/definitions.ts';
import { literal } from '../../testing/expressions.ts';
import { answered, call, failure, TestedRun } from '../../testing/tested-run.ts';

const COMPLETE = { signal: 'complete', stepId: 's1', summary: 'Built.' };
const signalled = call('p1', 'signal_back', COMPLETE);

/** One turn of an agent that owes a signal. */
function owing(parts: DefinitionParts = {}): TestedRun {
  const states = [work('start', ask('coder', 'Build it.'), { transitions: [to('stop')] }), end()];
  return new TestedRun(
    withRole(definitionOf(states, { parsingTools: ['signal_back'], ...parts }), { signals: SIGNALS }),
  );
}

const withRole = (definition: Definition, parts: Partial<Role>): Definition => ({
  ...definition,
  roles: Object.fromEntries(Object.entries(definition.roles).map(([name, role]) => [name, { ...role, ...parts }])),
});

const said = (run: TestedRun, task = 't1') => {
  const turn = run.snapshot.tasks[task]?.turn;
  return turn == null ? [] : toArray(turn.messages);
};

const CALL_2 = { kind: 'actor.call', task: 't1', agent: 'coder', call: 2, attempt: 1 };

describe('[Q2] a role with signals ends each turn with one', () => {
  test('a signal ends the turn, and its payload is the answer', () => {
    const run = owing();
    run.says('t1', 'Done.', { toolCalls: [signalled] });
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: COMPLETE });
    expect(run.ofKind('turn.nudged')).toEqual([]);
  });

  test('[Q5] without one it is reminded once, and asked again', () => {
    const run = owing();
    run.says('t1', 'I am done.');
    expect(run.ofKind('turn.nudged')).toHaveLength(1);
    expect(run.last.effects).toEqual([CALL_2]);
    expect(said(run).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(said(run).at(-1)).toMatchObject({ author: 'troupe', to: 'coder' });
    expect(said(run).at(-1)?.content).toContain('signal_back');
    run.says('t1', '', { toolCalls: [signalled] });
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: COMPLETE });
  });

  test('[Q5] twice without one is a crash', () => {
    const run = owing();
    run.says('t1', 'I am done.');
    run.says('t1', 'I said so.');
    const [ended] = run.ofKind('task.ended');
    expect(ended).toMatchObject({ outcome: 'crashed', failure: { code: 'REPLY_OWED', class: 'crash' } });
    expect(run.ofKind('turn.nudged')).toHaveLength(1);
  });

  test('[Q5] tools it uses after the reminder do not replace the signal, and it is not reminded again', () => {
    const run = owing();
    run.says('t1', 'I am done.');
    run.says('t1', '', { toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1');
    run.says('t1', 'Still done.');
    expect(run.ofKind('task.ended')[0]?.failure?.code).toBe('REPLY_OWED');
  });

  test('a run that is paused at that moment reminds it once, and asks when it continues', () => {
    const run = owing();
    run.pause();
    run.says('t1', 'I am done.');
    expect(run.last.effects).toEqual([]);
    run.goOn();
    expect(run.ofKind('turn.nudged')).toHaveLength(1);
    expect(run.last.effects).toContainEqual(CALL_2);
  });

  test('a limit on rounds that is reached right then is asked about, and the agent is not reminded twice', () => {
    const run = owing({ limits: { toolRounds: 1 } });
    run.says('t1', 'I am done.');
    expect(run.snapshot.paused?.limit).toBe('toolRounds');
    run.send({ kind: 'limit.raise', limit: 'toolRounds', allowed: 5, by: 'someone' });
    expect(run.ofKind('turn.nudged')).toHaveLength(1);
    expect(run.last.effects).toContainEqual(CALL_2);
  });

  test('[L6] the journal records that it was reminded, whatever the text', () => {
    const run = owing({ limits: { toolRounds: 1 } });
    run.says('t1', 'I am done.');
    const older = run.records.map((record) =>
      record.fact.kind === 'turn.nudged' ? { ...record, fact: { ...record.fact, text: 'Signal!' } } : record,
    );
    run.last = { ...run.last, snapshot: foldRecords(older) };
    run.send({ kind: 'limit.raise', limit: 'toolRounds', allowed: 5, by: 'someone' });
    expect(run.last.effects).toContainEqual(CALL_2);
    expect(run.ofKind('turn.nudged')).toHaveLength(1);
  });

  test('a role without signals ends with its text', () => {
    const states = [work('start', ask('coder'), { transitions: [to('stop')] }), end()];
    const run = new TestedRun(withRole(definitionOf(states), { signals: [] }));
    run.says('t1', 'Done.');
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: 'Done.' });
  });
});

describe('[L4] a signal that does not hold', () => {
  const refuse = (run: TestedRun, id: string, rejected = {}) => {
    const { call: number = 1, attempt = 1 } = run.snapshot.tasks['t1']?.turn ?? {};
    const message = { task: 't1', content: '', toolCalls: [call(id, 'signal_back', COMPLETE)], call: number, attempt };
    return run.send({ ...answered({ ...message, rejected }), refused: { [id]: 'src/a.ts does not exist.' } });
  };

  test('is sent back to the agent with what is missing, and the turn continues', () => {
    const run = owing();
    refuse(run, 'p1');
    const [finished] = run.ofKind('tool.finished');
    expect(finished).toMatchObject({ toolCall: 'p1', isError: true, refused: 'EVIDENCE_MISSING' });
    expect(finished?.content).toContain('src/a.ts does not exist.');
    expect(finished?.accepted).toBeUndefined();
    expect(run.last.effects).toEqual([CALL_2]);
  });

  test('may be refused several times: that is no correction, and a bad one after it is still sent back', () => {
    const run = owing();
    for (const id of ['p1', 'p2', 'p3']) refuse(run, id);
    expect(run.snapshot.tasks['t1']?.turn).toMatchObject({ call: 4, corrected: false });
    run.says('t1', '', { toolCalls: [call('p4', 'signal_back')], rejected: { p4: 'signal is missing.' } });
    expect(run.snapshot.tasks['t1']?.turn).toMatchObject({ call: 5, corrected: true });
    refuse(run, 'p5');
    expect(run.ofKind('task.ended')).toEqual([]);
    run.says('t1', '', { toolCalls: [signalled] });
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: COMPLETE });
  });

  test('is said ten times at most: then the turn has failed', () => {
    const run = owing();
    for (let count = 1; count < 10; count += 1) refuse(run, `p${count}`);
    expect(run.ofKind('task.ended')).toEqual([]);
    refuse(run, 'p10');
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'failed', failure: { code: 'EVIDENCE_MISSING' } });
  });

  test('is no signal: text alone after it is nudged', () => {
    const run = owing();
    refuse(run, 'p1');
    run.says('t1', 'It is there!');
    expect(run.ofKind('turn.nudged')).toHaveLength(1);
  });

  test('beside one that holds changes nothing: the turn ends with that', () => {
    const run = owing();
    const toolCalls = [
      call('p1', 'signal_back', COMPLETE),
      call('p2', 'signal_back', { ...COMPLETE, summary: 'All.' }),
    ];
    run.send({ ...answered({ task: 't1', content: '', toolCalls }), refused: { p1: 'no' } });
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: { summary: 'All.' } });
  });

  test('[SM7] together with a bad one for the second time: the turn fails with the mistake of the bad one', () => {
    const run = owing();
    run.says('t1', '', { toolCalls: [call('p1', 'signal_back')], rejected: { p1: 'signal is missing.' } });
    const toolCalls = [call('p2', 'signal_back', COMPLETE), call('p3', 'signal_back')];
    const bad = answered({ task: 't1', call: 2, content: '', toolCalls, rejected: { p3: 'stepId is missing.' } });
    run.send({ ...bad, refused: { p2: 'src/a.ts does not exist.' } });
    expect(run.ofKind('task.ended')[0]?.failure).toMatchObject({
      code: 'INVALID_REPLY',
      message: expect.stringContaining('stepId is missing.') as string,
    });
  });
});

/** Two turns of the same agent, and one that is open. */
function talking(): TestedRun {
  const states = [
    work('first', ask('coder'), { transitions: [to('second')] }),
    work('second', ask('coder'), { transitions: [to('third')] }),
    work('third', ask('coder'), { transitions: [to('stop')] }),
    end(),
  ];
  return new TestedRun(definitionOf(states));
}

interface Noting {
  readonly agent?: string;
  readonly how?: 'new' | 'resumed' | 'forked';
}

const note = (run: TestedRun, task: string, session: string, { agent = 'coder', how = 'new' }: Noting = {}) =>
  run.send({
    kind: 'world.noted',
    facts: [{ kind: 'session.noted', task: taskId(task), agent, actor: 'claude-code', session, how }],
  });

describe('[Q4] a client’s own conversation', () => {
  test('is known as soon as it is noted, and has received everything when the turn succeeded', () => {
    const run = talking();
    note(run, 't1', 's-1');
    expect(run.snapshot.sessions['coder']).toEqual({
      actor: 'claude-code',
      id: 's-1',
      context: 'talk',
      seen: 0,
      lastTask: 't1',
    });
    expect(run.snapshot.tasks['t1']?.turn?.session).toBe('s-1');
    run.says('t1', 'One.');
    expect(run.snapshot.sessions['coder']).toMatchObject({ id: 's-1', seen: 2 });
    note(run, 't2', 's-1', { how: 'resumed' });
    expect(run.snapshot.sessions['coder']).toMatchObject({ id: 's-1', seen: 2, lastTask: 't2' });
    run.says('t2', 'Two.');
    expect(run.snapshot.sessions['coder']?.seen).toBe(4);
  });

  test('[U8] is known with where it is stored, until it is stored again, could not be stored, or another session follows', () => {
    const run = talking();
    const keep = (session: string, body: string | null) => {
      const conversation = body === null ? null : { body, bytes: 1 };
      run.send({
        kind: 'world.noted',
        facts: [{ kind: 'session.kept', task: taskId('t1'), agent: 'coder', session, conversation }],
      });
      return run.snapshot.sessions['coder']?.kept;
    };
    note(run, 't1', 's-1');
    expect(keep('s-1', 'one')).toEqual({ body: 'one', bytes: 1 });
    expect(keep('s-2', 'of another')).toEqual({ body: 'one', bytes: 1 });
    run.says('t1', 'One.');
    note(run, 't2', 's-1', { how: 'resumed' });
    expect(run.snapshot.sessions['coder']).toMatchObject({ seen: 2, kept: { body: 'one', bytes: 1 } });
    expect(keep('s-1', 'two')).toEqual({ body: 'two', bytes: 1 });
    expect(keep('s-1', null)).toBeUndefined();
    expect(keep('s-1', 'three')).toEqual({ body: 'three', bytes: 1 });
    note(run, 't2', 's-3', { how: 'forked' });
    expect(run.snapshot.sessions['coder']?.kept).toBeUndefined();
  });

  test('has received nothing new when its turn failed', () => {
    const run = talking();
    note(run, 't1', 's-1');
    run.fails('t1', failure('bad-request'));
    expect(run.snapshot.sessions['coder']?.seen).toBe(0);
  });

  test('that its client lost is forgotten, and the next try begins a new one', () => {
    const run = talking();
    note(run, 't1', 's-1');
    run.fails('t1', failure('session', 'No conversation found.'));
    expect(run.snapshot.sessions).toEqual({});
    expect(run.snapshot.tasks['t1']?.turn).not.toHaveProperty('session');
    const retryAt = run.snapshot.tasks['t1']?.turn?.retryAt ?? 0;
    expect(run.timer('t1/retry', retryAt).effects).toContainEqual({ ...CALL_2, call: 1, attempt: 2 });
  });

  test('is kept after any other failure', () => {
    const run = talking();
    note(run, 't1', 's-1');
    run.fails('t1', failure('server'));
    expect(run.snapshot.tasks['t1']?.turn?.session).toBe('s-1');
  });

  test('is forgotten with the context it is about, those about others are not', () => {
    const agents = [
      { name: 'coder', role: 'coder', context: 'talk', side: 'assistant' },
      { name: 'reviewer', role: 'reviewer', context: 'review', side: 'assistant' },
    ] as const;
    const clear = { kind: 'turn', agent: 'coder', mode: 'clear', input: null } as const;
    const states = [
      work('first', ask('coder'), { transitions: [to('second')] }),
      work('second', ask('reviewer'), { transitions: [to('forget')] }),
      work('forget', clear, { transitions: [to('again')] }),
      work('again', ask('coder'), { transitions: [to('stop')] }),
      end(),
    ];
    const run = new TestedRun(definitionOf(states, { agents }));
    note(run, 't1', 's-1');
    run.says('t1', 'One.');
    note(run, 't2', 's-2', { agent: 'reviewer' });
    run.says('t2', 'Two.', { author: 'reviewer' });
    expect(Object.keys(run.snapshot.sessions)).toEqual(['reviewer']);
  });

  test('[L2] does not count as received what others said meanwhile: it is sent next time', () => {
    const units = fixed({ a: [] }, ask('coder'));
    const both =
      units.kind === 'fixed' ? [...units.list, { id: 'b', after: [], work: tell('reviewer', literal('Hi.')) }] : [];
    const states = [
      work('start', pool({ kind: 'fixed', list: both }), { transitions: [to('more')] }),
      work('more', ask('coder'), { transitions: [to('stop')] }),
      end(),
    ];
    const run = new TestedRun(definitionOf(states));
    note(run, 't2', 's-1');
    const count = run.snapshot.contexts['talk']?.messages.length ?? 0;
    expect(count).toBe(1);
    run.says('t2', 'One.');
    expect(run.snapshot.contexts['talk']?.messages.length).toBe(3);
    expect(run.snapshot.sessions['coder']?.seen).toBe(0);
  });

  test('a copy has received what its original had', () => {
    const run = talking();
    note(run, 't1', 's-1');
    run.says('t1', 'One.');
    note(run, 't2', 's-2', { how: 'forked' });
    expect(run.snapshot.sessions['coder']).toMatchObject({ id: 's-2', seen: 2 });
    note(run, 't2', 's-3', { how: 'new' });
    expect(run.snapshot.sessions['coder']).toMatchObject({ id: 's-3', seen: 0 });
  });

  test('[H4] a note for a turn that has ended changes nothing', () => {
    const run = talking();
    run.says('t1', 'One.');
    note(run, 't1', 's-late');
    expect(run.snapshot.sessions).toEqual({});
  });
});

describe('[RW1] after a rollback', () => {
  /** One turn in a session, and the record after it. */
  const begun = (): { run: TestedRun; at: number } => {
    const run = talking();
    note(run, 't1', 's-1');
    run.says('t1', 'One.');
    return { run, at: run.records.length };
  };

  test('a conversation that was not used since continues', () => {
    const { run, at } = begun();
    run.pause();
    run.rewind(at);
    expect(run.snapshot.sessions['coder']).toMatchObject({ id: 's-1', seen: 2 });
  });

  test('one that has received more is not used again', () => {
    const { run, at } = begun();
    note(run, 't2', 's-1', { how: 'resumed' });
    run.says('t2', 'Two.');
    run.rewind(at);
    expect(run.snapshot.sessions).toEqual({});
  });

  test('nor one in which a turn began that failed', () => {
    const { run, at } = begun();
    note(run, 't2', 's-1', { how: 'resumed' });
    run.rewind(at);
    expect(run.snapshot.sessions).toEqual({});
  });

  test('nor one that was in use at that very record: what was said after it is unknown', () => {
    const { run } = begun();
    note(run, 't2', 's-1', { how: 'resumed' });
    const during = run.records.length;
    run.says('t2', '', { toolCalls: [call('c1', 'grep')] });
    run.rewind(during);
    expect(run.snapshot.sessions).toEqual({});
    expect(run.snapshot.tasks['t2']?.turn).not.toHaveProperty('session');
  });
});

describe('[FO1] a fork', () => {
  const forkOf = (run: TestedRun, sessions?: readonly string[]) => {
    const seq = run.records.length;
    const from = { run: runId('run-1'), seq };
    const forked = {
      kind: 'run.forked',
      from,
      input: {},
      by: 'someone',
      ...(sessions === undefined ? {} : { sessions }),
    } as const;
    return foldRecords(forkRecords(run.records, { run: runId('fork-1'), parent: null, seq, at: 5000, forked }));
  };

  test('takes over the conversations that it names, as another run’s, and no others', () => {
    const run = talking();
    note(run, 't1', 's-1');
    run.says('t1', 'One.');
    expect(forkOf(run).sessions).toEqual({});
    expect(forkOf(run, ['reviewer']).sessions).toEqual({});
    expect(forkOf(run, ['coder']).sessions).toMatchObject({ coder: { id: 's-1', seen: 2, isOfOther: true } });
  });

  test('of a turn in progress does not continue the other run’s conversation', () => {
    const run = talking();
    note(run, 't1', 's-1');
    for (const sessions of [undefined, ['coder']]) {
      expect(forkOf(run, sessions).tasks['t1']?.turn).not.toHaveProperty('session');
    }
  });

  test('has its own conversation as soon as it is noted', () => {
    const run = talking();
    note(run, 't1', 's-1');
    run.says('t1', 'One.');
    run.last = { ...run.last, snapshot: forkOf(run, ['coder']) };
    note(run, 't2', 's-2', { how: 'forked' });
    expect(run.snapshot.sessions['coder']).toEqual({
      actor: 'claude-code',
      id: 's-2',
      context: 'talk',
      seen: 2,
      lastTask: 't2',
    });
  });
});

describe('[Q8] sub-agents that a client starts by itself', () => {
  const tell2 = (run: TestedRun, ...items: readonly Activity[]) =>
    run.send({ kind: 'world.noted', facts: [{ kind: 'activity.noted', task: taskId('t1'), items }] });
  const minions = (run: TestedRun) => run.snapshot.tasks['t1']?.turn?.minions;
  const usage = { inputTokens: 5, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 };

  test('stay in view with where they are; what tools did does not', () => {
    const run = talking();
    tell2(run, { id: 'c1', kind: 'tool', name: 'Bash', status: 'ok', text: 'ls' });
    expect(minions(run)).toBeUndefined();
    tell2(run, { id: 'm1', kind: 'minion', name: 'explorer', status: 'running', text: 'Looks around' });
    tell2(run, { id: 'm2', kind: 'minion', name: 'tester', status: 'running' });
    tell2(run, { id: 'm1', kind: 'minion', name: '', status: 'ok', usage });
    expect(minions(run)).toEqual({
      m1: { name: 'explorer', status: 'ok', text: 'Looks around', usage },
      m2: { name: 'tester', status: 'running' },
    });
  });

  test('are not paid for twice: their usage is in that of the turn', () => {
    const run = talking();
    tell2(run, { id: 'm1', kind: 'minion', name: 'explorer', status: 'ok', usage });
    expect(run.snapshot.usage.calls).toBe(0);
  });

  test('[L3] may bear ids that mean something to every object', () => {
    const run = talking();
    tell2(run, { id: 'm1', kind: 'minion', name: 'explorer', status: 'running' });
    tell2(run, { id: 'toString', kind: 'minion', name: '', status: 'running' });
    expect(minions(run)?.['toString']).toEqual({ name: '', status: 'running' });
  });

  test('[H4] of a turn that has ended change nothing', () => {
    const run = talking();
    run.says('t1', 'One.');
    const before = run.snapshot.tasks;
    tell2(run, { id: 'm1', kind: 'minion', name: 'explorer', status: 'running' });
    expect(run.snapshot.tasks).toEqual(before);
  });
});
