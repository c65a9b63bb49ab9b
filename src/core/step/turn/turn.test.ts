import { describe, expect, test } from 'vitest';
import { toArray } from '../../model/append-list.ts';
import { taskId } from '../../model/ids.ts';
import { equals, literal, member, name, variable } from '../../testing/expressions.ts';
import { agent, ask, definitionOf, end, fixed, pool, to, work } from '../../testing/definitions.ts';
import { answered, call, failure, TestedRun } from '../../testing/tested-run.ts';

const speak = (parts = {}) =>
  definitionOf([work('start', ask('coder', 'Build it.'), { transitions: [to('stop')] }), end('stop', 'ok')], parts);

const messages = (run: TestedRun) => toArray(run.snapshot.contexts['talk']?.messages ?? { items: [], length: 0 });

describe('a turn', () => {
  test('[SM4] calls the model once, and text alone is the answer', () => {
    const run = new TestedRun(speak());
    expect(run.effects).toEqual([{ kind: 'actor.call', task: 't1', agent: 'coder', call: 1, attempt: 1 }]);
    run.says('t1', 'Built.');
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: 'Built.', failure: null });
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(run.snapshot.agents['coder']).toEqual({ lastResponse: 'Built.', toolCalls: [], parsingCalls: [] });
    expect(run.snapshot.lastAgent).toBe('coder');
  });

  test('[L2] its messages join the conversation with the input in front, in the order they were said', () => {
    const run = new TestedRun(speak());
    expect(messages(run)).toEqual([]);
    run.says('t1', 'Built.');
    expect(messages(run)).toEqual([
      { author: 'workflow', to: 'coder', role: 'user', content: 'Build it.' },
      { author: 'coder', role: 'assistant', content: 'Built.' },
    ]);
  });

  test('[SM4] an agent may speak without a new message', () => {
    const silent = { kind: 'turn', agent: 'coder', mode: 'ask', input: null } as const;
    const run = new TestedRun(definitionOf([work('start', silent, { transitions: [to('stop')] }), end()]));
    run.says('t1', 'Hm.');
    expect(messages(run)).toEqual([
      { author: 'troupe', to: 'coder', role: 'user', content: 'Begin.' },
      { author: 'coder', role: 'assistant', content: 'Hm.' },
    ]);
  });

  test('[A5] if the agent spoke last, the engine adds a message so that it continues, which stays in the conversation', () => {
    const silent = { kind: 'turn', agent: 'coder', mode: 'ask', input: null } as const;
    const states = [
      work('start', ask('coder', 'Build it.'), { transitions: [to('more')] }),
      work('more', silent, { transitions: [to('again')] }),
      work('again', ask('coder', 'And now?'), { transitions: [to('stop')] }),
    ];
    const run = new TestedRun(definitionOf([...states, end()]));
    for (const task of ['t1', 't2', 't3']) run.says(task, 'Built.');
    expect(messages(run).map(({ author, content }) => `${author}: ${content}`)).toEqual([
      'workflow: Build it.',
      'coder: Built.',
      'troupe: Go on.',
      'coder: Built.',
      'workflow: And now?',
      'coder: Built.',
    ]);
  });

  test('[SM5] conditions can read the agent’s last answer', () => {
    const heard = equals(member(member(name('agents'), 'coder'), 'lastResponse'), 'Built.');
    const run = new TestedRun(
      definitionOf([work('start', ask('coder'), { transitions: [to('yes', heard), to('no')] }), end('yes'), end('no')]),
    );
    run.says('t1', 'Built.');
    expect(run.path()).toEqual(['start', 'yes']);
  });

  test('[L3] a turn whose input is empty does not call the model', () => {
    const mute = { kind: 'turn', agent: 'coder', mode: 'ask', input: variable('missing') } as const;
    const run = new TestedRun(definitionOf([work('start', mute, { transitions: [to('stop')] }), end()]));
    expect(run.snapshot.result?.failure?.code).toBe('INPUT_UNDEFINED');
    expect(run.effects).toEqual([]);
  });
});

describe('turn ⇄ tools', () => {
  test('[SM4] tools are run, and with their results the model is called again', () => {
    const run = new TestedRun(speak());
    run.says('t1', 'Looking.', { toolCalls: [call('c1', 'read_file', { path: 'a' })] });
    expect(run.last.effects).toEqual([
      { kind: 'tool.run', task: 't1', agent: 'coder', toolCall: call('c1', 'read_file', { path: 'a' }) },
    ]);
    run.toolReturns('t1', 'c1', 'text of a');
    expect(run.last.effects).toEqual([{ kind: 'actor.call', task: 't1', agent: 'coder', call: 2, attempt: 1 }]);
    run.says('t1', 'Built.');
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(messages(run).map((message) => `${message.role}: ${message.content}`)).toEqual([
      'user: Build it.',
      'assistant: Looking.',
      'tool: text of a',
      'assistant: Built.',
    ]);
    expect(messages(run)[2]).toMatchObject({ author: 'coder', toolCallId: 'c1' });
  });

  test('[SM4] several calls of one message run at the same time, and all results are waited for', () => {
    const run = new TestedRun(speak());
    run.says('t1', '', { toolCalls: [call('c1', 'read_file'), call('c2', 'grep'), call('c3', 'glob')] });
    expect(run.last.effects.map((effect) => (effect.kind === 'tool.run' ? effect.toolCall.id : effect.kind))).toEqual([
      'c1',
      'c2',
      'c3',
    ]);
    run.toolReturns('t1', 'c3');
    run.toolReturns('t1', 'c1');
    expect(run.last.effects).toEqual([]);
    run.toolReturns('t1', 'c2');
    expect(run.last.effects).toEqual([{ kind: 'actor.call', task: 't1', agent: 'coder', call: 2, attempt: 1 }]);
  });

  test('[SM4] the agent’s last message is what getToolCalls looks at, so after the tool loop it is empty', () => {
    const run = new TestedRun(speak());
    run.says('t1', '', { toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1');
    run.says('t1', 'Found it.');
    expect(run.snapshot.agents['coder']?.toolCalls).toEqual([]);
    expect(run.snapshot.agents['coder']?.lastResponse).toBe('Found it.');
  });

  test('[L5] a tool that failed is reported to the agent as an error, and the turn continues', () => {
    const run = new TestedRun(speak());
    run.says('t1', '', { toolCalls: [call('c1', 'grep')] });
    run.send({
      kind: 'tool.finished',
      task: taskId('t1'),
      toolCall: 'c1',
      content: 'no such folder',
      isError: true,
      ms: 1,
    });
    expect(run.snapshot.tasks['t1']?.turn?.messages.items.at(-1)).toMatchObject({ role: 'tool', isError: true });
    expect(run.snapshot.tasks['t1']?.turn?.call).toBe(2);
  });

  test('[SM7] arguments that do not fit a tool are refused without running it, and the agent learns why', () => {
    const run = new TestedRun(speak());
    run.says('t1', '', {
      toolCalls: [call('c1', 'grep'), call('c2', 'glob')],
      rejected: { c1: 'pattern is missing.' },
    });
    expect(run.last.effects).toEqual([{ kind: 'tool.run', task: 't1', agent: 'coder', toolCall: call('c2', 'glob') }]);
    expect(run.ofKind('tool.finished')[0]).toMatchObject({ toolCall: 'c1', isError: true });
    expect(run.ofKind('tool.finished')[0]?.content).toContain('pattern is missing.');
    run.toolReturns('t1', 'c2');
    expect(run.snapshot.tasks['t1']?.turn).toMatchObject({ phase: 'calling', call: 2, corrected: false });
  });

  test('[SM7] when every call of a message is refused, the model is called again at once', () => {
    const run = new TestedRun(speak());
    run.says('t1', '', { toolCalls: [call('c1', 'grep')], rejected: { c1: 'pattern is missing.' } });
    expect(run.last.effects).toEqual([{ kind: 'actor.call', task: 't1', agent: 'coder', call: 2, attempt: 1 }]);
  });

  test('[L3] a call whose id looks like something every object has is run like any other', () => {
    const run = new TestedRun(speak());
    run.says('t1', '', { toolCalls: [call('toString', 'grep')], rejected: {} });
    expect(run.last.effects.map((effect) => effect.kind)).toEqual(['tool.run']);
  });

  test('[L2] a tool result says which call it answers, and a second one for the same call changes nothing', () => {
    const run = new TestedRun(speak());
    run.says('t1', '', { toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1', 'first');
    const before = run.snapshot;
    expect(run.toolReturns('t1', 'c1', 'second')).toEqual({ facts: [], snapshot: before, effects: [] });
    expect(run.snapshot).toBe(before);
  });
});

describe('structured replies', () => {
  const parsing = { parsingTools: ['verdict'] };
  const good = call('p1', 'verdict', { ok: true });

  test('[SM4] a call of a parsing tool ends the turn, its arguments are the answer, the engine writes its result', () => {
    const run = new TestedRun(speak(parsing));
    run.says('t1', 'My verdict:', { toolCalls: [good] });
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: { ok: true } });
    expect(run.ofKind('tool.finished')[0]).toMatchObject({ toolCall: 'p1', isError: false, accepted: true });
    expect(run.snapshot.agents['coder']).toMatchObject({ lastResponse: 'My verdict:', parsingCalls: [good] });
    expect(run.effects.filter((effect) => effect.kind !== 'actor.call')).toEqual([]);
    expect(messages(run).at(-1)).toMatchObject({ role: 'tool', toolCallId: 'p1' });
  });

  test('[SM4] other calls in the same message are not run, and their results say so', () => {
    const run = new TestedRun(speak(parsing));
    run.says('t1', '', { toolCalls: [call('c1', 'grep'), good] });
    expect(run.effects.filter((effect) => effect.kind === 'tool.run')).toEqual([]);
    expect(run.ofKind('tool.finished').map((fact) => [fact.toolCall, fact.isError])).toEqual([
      ['c1', true],
      ['p1', false],
    ]);
  });

  test('[SM5] the shorthand function.NAME sees the newest reply of that name', () => {
    const holds = equals(member(member({ kind: 'parsed-call', tool: 'verdict' }, 'arguments'), 'ok'), true);
    const run = new TestedRun(
      definitionOf(
        [work('start', ask('coder'), { transitions: [to('yes', holds), to('no')] }), end('yes'), end('no')],
        parsing,
      ),
    );
    run.says('t1', '', { toolCalls: [good] });
    expect(run.path()).toEqual(['start', 'yes']);
  });

  test('[SM7] an invalid one is sent back once with the error', () => {
    const run = new TestedRun(speak(parsing));
    run.says('t1', '', { toolCalls: [call('p1', 'verdict')], rejected: { p1: 'ok is missing.' } });
    expect(run.ofKind('tool.finished')[0]).toMatchObject({ toolCall: 'p1', isError: true, accepted: false });
    expect(run.ofKind('tool.finished')[0]?.content).toContain('ok is missing.');
    expect(run.last.effects).toEqual([{ kind: 'actor.call', task: 't1', agent: 'coder', call: 2, attempt: 1 }]);
    run.says('t1', '', { toolCalls: [call('p2', 'verdict', { ok: false })] });
    expect(run.ofKind('task.ended')[0]).toMatchObject({ outcome: 'ok', output: { ok: false } });
    expect(run.snapshot.agents['coder']?.parsingCalls).toEqual([call('p2', 'verdict', { ok: false })]);
  });

  test('[SM7] a second invalid one fails the turn as INVALID_REPLY', () => {
    const run = new TestedRun(speak(parsing));
    run.says('t1', '', { toolCalls: [call('p1', 'verdict')], rejected: { p1: 'ok is missing.' } });
    run.says('t1', '', { toolCalls: [call('p2', 'verdict')], rejected: { p2: 'ok is no text.' } });
    expect(run.snapshot.result).toMatchObject({
      outcome: 'failed',
      failure: { code: 'INVALID_REPLY', class: 'bad-reply' },
    });
    expect(run.snapshot.result?.failure?.message).toContain('ok is no text.');
  });

  test('[SM7] refused arguments of ordinary tools do not use up the one correction of a structured reply', () => {
    const run = new TestedRun(speak(parsing));
    run.says('t1', '', { toolCalls: [call('c1', 'grep')], rejected: { c1: 'no.' } });
    run.says('t1', '', { toolCalls: [call('p1', 'verdict')], rejected: { p1: 'no.' } });
    run.says('t1', '', { toolCalls: [good] });
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  test('[SM7] the next turn of the same agent may be corrected again', () => {
    const twice = definitionOf([work('start', ask('coder'), { transitions: [to('start')] })], {
      ...parsing,
      limits: { iterations: 2 },
    });
    const run = new TestedRun(twice);
    for (const task of ['t1', 't2']) {
      run.says(task, '', { toolCalls: [call('p1', 'verdict')], rejected: { p1: 'no.' } });
      run.says(task, '', { toolCalls: [call('p2', 'verdict', { ok: true })] });
    }
    expect(run.ofKind('task.ended').map((fact) => fact.outcome)).toEqual(['ok', 'ok']);
  });
});

describe('a turn that did not succeed', () => {
  test('[L2] leaves no trace in the conversation, but its failure is known', () => {
    const run = new TestedRun(speak());
    run.says('t1', 'Looking.', { toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1');
    run.fails('t1', failure('auth', 'bad key'));
    expect(messages(run)).toEqual([]);
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { message: 'bad key' } });
    expect(run.snapshot.lastAgent).toBeNull();
  });

  test('[L2] its usage is still counted', () => {
    const run = new TestedRun(speak());
    run.says('t1', '', { toolCalls: [call('c1', 'grep')], tokens: 70, costUsd: 0.5 });
    run.toolReturns('t1', 'c1');
    run.fails('t1', failure('auth'));
    expect(run.snapshot.usage).toMatchObject({ inputTokens: 70, calls: 1 });
    expect(run.snapshot.costUsd).toBe(0.5);
  });

  test('[U5] a failed call that was paid for counts, each time it is tried', () => {
    const run = new TestedRun(speak());
    const usage = { inputTokens: 8, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 };
    const spent = { usage, costUsd: 0.1 };
    const failed = { kind: 'call.failed', task: taskId('t1'), call: 1, failure: failure('server'), spent } as const;
    run.send({ ...failed, attempt: 1 });
    run.timer('t1/retry', 5000);
    run.send({ ...failed, attempt: 2 });
    expect(run.snapshot.usage).toMatchObject({ inputTokens: 16, outputTokens: 4, calls: 2 });
    expect(run.snapshot.costUsd).toBeCloseTo(0.2);
  });

  test('[L5] quota, timeouts, crashes and cancels keep their own outcome', () => {
    const outcome = (kind: Parameters<typeof failure>[0]) => {
      const run = new TestedRun(speak({ retry: { tries: { [kind]: 1 }, baseMs: 1, maxMs: 1 } }));
      run.fails('t1', failure(kind));
      return run.snapshot.result?.outcome;
    };
    expect(['quota', 'timeout', 'crash', 'cancelled', 'server'].map((kind) => outcome(kind as 'quota'))).toEqual([
      'quota',
      'timeout',
      'crashed',
      'cancelled',
      'failed',
    ]);
  });
});

describe('two agents in one context', () => {
  const cast = { agents: [agent('coder'), agent('reviewer', { side: 'user' })] };

  test('[SM3] turns at the same time do not interleave: each joins in one piece when it ends', () => {
    const both = {
      kind: 'fixed',
      list: [
        { id: 'a', after: [], work: ask('coder', 'Code.') },
        { id: 'b', after: [], work: ask('reviewer', 'Review.') },
      ],
    } as const;
    const run = new TestedRun(definitionOf([work('start', pool(both), { transitions: [to('stop')] }), end()], cast));
    run.says('t2', 'c?', { toolCalls: [call('c1', 'grep')] });
    run.says('t3', 'r?', { author: 'reviewer', toolCalls: [call('r1', 'grep')] });
    run.toolReturns('t2', 'c1', 'for c');
    run.toolReturns('t3', 'r1', 'for r');
    run.says('t3', 'r!', { author: 'reviewer' });
    run.says('t2', 'c!');
    expect(messages(run).map((message) => message.content)).toEqual([
      'Review.',
      'r?',
      'for r',
      'r!',
      'Code.',
      'c?',
      'for c',
      'c!',
    ]);
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  test('[SM8] a turn sees the context as it was when it began, also when others have spoken since', () => {
    const units = fixed({ a: [], b: [] }, ask('coder'));
    const run = new TestedRun(definitionOf([work('start', pool(units), { transitions: [to('stop')] }), end()], cast));
    expect(run.snapshot.tasks['t3']?.turn?.sees).toBe(0);
    run.says('t2', 'first');
    expect(run.snapshot.contexts['talk']?.messages.length).toBe(2);
    expect(run.snapshot.tasks['t3']?.turn?.sees).toBe(0);
  });
});

describe('answers that are not open any more', () => {
  test('[L2] a second answer, an answer to another call or attempt, and one to a task that is gone change nothing', () => {
    const run = new TestedRun(speak());
    run.says('t1', '', { toolCalls: [call('c1', 'grep')] });
    const stale = [
      answered({ task: 't1', content: 'again', call: 1 }),
      answered({ task: 't1', content: 'early', call: 2 }),
      answered({ task: 't9', content: 'stale' }),
      { kind: 'call.failed', task: taskId('t1'), call: 1, attempt: 1, failure: failure('server') } as const,
    ];
    for (const event of stale) {
      const before = run.snapshot;
      expect(run.send(event)).toEqual({ facts: [], snapshot: before, effects: [] });
    }
    run.toolReturns('t1', 'c1');
    const before = run.snapshot;
    expect(run.send(answered({ task: 't1', content: 'wrong try', call: 2, attempt: 2 })).snapshot).toBe(before);
    expect(literal(run.snapshot.tasks['t1']?.turn?.phase ?? null)).toEqual(literal('calling'));
  });
});
