import { describe, expect, test } from 'vitest';
import { emptyList, toArray } from '../model/append-list.ts';
import { appendMessage, leftOf, openContext, overflow, trimContext } from './context.ts';
import type { Message } from '../model/message.ts';
import { agent, ask, context, definitionOf, end, fixed, pool, route, tell, to, work } from '../testing/definitions.ts';
import { literal } from '../testing/expressions.ts';
import { call, TestedRun } from '../testing/tested-run.ts';
import { viewFor } from '../look/view.ts';

const say = (content: string, parts: Partial<Message> = {}): Message => ({
  author: 'coder',
  role: 'assistant',
  content,
  ...parts,
});
const system = (content: string) => say(content, { author: 'system', role: 'system' });
const many = (count: number, length = 10) =>
  Array.from({ length: count }, (_, index) => say(`${index}`.padEnd(length)));
const kept = (messages: readonly Message[], maxLength: number) => {
  const full = openContext({ messages, maxLength });
  return toArray(trimContext(full, overflow(full)).messages);
};

describe('when a conversation is too long', () => {
  test('[SM2] nothing goes while it fits, to the character', () => {
    expect(overflow(openContext({ messages: many(20), maxLength: 200 }))).toBe(0);
    expect(overflow(openContext({ messages: many(20), maxLength: 199 }))).toBe(1);
  });

  test('[SM2] the oldest go first, only as many as are needed', () => {
    expect(kept(many(20), 150).map((message) => message.content.trim())).toEqual(
      Array.from({ length: 15 }, (_, index) => `${index + 5}`),
    );
  });

  test('[SM2] at least ten of the newest stay, also over the limit', () => {
    expect(kept(many(20), 10)).toHaveLength(10);
    expect(kept(many(10), 10)).toHaveLength(10);
    expect(kept(many(3), 1)).toHaveLength(3);
  });

  test('[SM2] system messages stay, at any position, and do not count among the ten', () => {
    const messages = [system('be brief'), ...many(12), system('and kind'), say('last')];
    const left = kept(messages, 20);
    expect(left.filter((message) => message.role === 'system').map((message) => message.content)).toEqual([
      'be brief',
      'and kind',
    ]);
    expect(left.filter((message) => message.role !== 'system')).toHaveLength(10);
  });

  test('[SM2] a call is never cut from its results: they go together or stay together', () => {
    const calling = say('look', { toolCalls: [call('c1', 'grep'), call('c2', 'glob')] });
    const results = ['c1', 'c2'].map((id) => say('found', { role: 'tool', toolCallId: id }));
    const messages = [calling, ...results, ...many(10)];
    const gone = kept(messages, 100);
    expect(gone.map((message) => message.role)).not.toContain('tool');
    expect(gone).toHaveLength(10);
    // Only nine others: dropping the group would leave fewer than ten, so all of it stays.
    expect(kept([calling, ...results, ...many(9)], 10)).toHaveLength(12);
  });

  test('[SM2] after a trim no tool result is left without its call, whatever the limit', () => {
    const group = (id: string) => [
      say('x'.repeat(7), { toolCalls: [call(id, 'grep')] }),
      say('y'.repeat(11), { role: 'tool', toolCallId: id }),
    ];
    const messages = Array.from({ length: 9 }, (_, index) => [...group(`c${index}`), say('z'.repeat(5))]).flat();
    for (let limit = 0; limit < 700; limit += 9) {
      const left = kept(messages, limit);
      const known = new Set(left.flatMap((message) => (message.toolCalls ?? []).map((one) => one.id)));
      expect(left.every((message) => message.toolCallId === undefined || known.has(message.toolCallId))).toBe(true);
    }
  });

  test('[SM2] the calls of a message count towards its length', () => {
    const plain = openContext({ messages: [say('look')], maxLength: 50 });
    const calling = appendMessage(plain, say('', { toolCalls: [call('c1', 'grep', { pattern: 'x' })] }));
    expect(plain.chars).toBe(4);
    expect(calling.chars).toBeGreaterThan(40);
  });

  test('[A1] the first and the newest order to each agent stay, word for word, whatever was said between', () => {
    const order = (to: string, content: string): Message => ({ author: 'workflow', to, role: 'user', content });
    const messages = [
      order('coder', 'Build it.'),
      ...many(12),
      order('reviewer', 'Review it.'),
      ...many(12),
      order('coder', 'Mind the edge.'),
      ...many(12),
      order('coder', 'And the corner.'),
      ...many(20),
    ];
    const left = kept(messages, 60);
    const orders = left.filter((message) => message.author === 'workflow').map((message) => message.content);
    expect(orders).toEqual(['Build it.', 'Review it.', 'And the corner.']);
    expect(left).toHaveLength(3 + 10);
  });

  test('[A1] a cut is noted in its place, and the numbers add up when more is cut', () => {
    const order: Message = { author: 'workflow', to: 'coder', role: 'user', content: 'Build it.' };
    const full = openContext({ messages: [order, ...many(20)], maxLength: 169 });
    const once = trimContext(full, overflow(full));
    const seen = (context: typeof once) => viewFor('reviewer', context.messages, emptyList());
    expect(seen(once).map((message) => message.content)[0]).toBe('[workflow to coder] Build it.');
    expect(seen(once)[1]?.content).toBe(
      '[troupe] 4 messages were left out here to keep this conversation within its length.',
    );
    const twice = trimContext({ ...once, maxLength: 149 }, 2);
    expect(seen(twice)[1]?.content).toContain('6 messages were left out here');
    expect(seen(twice)).toHaveLength(1 + 1 + 14);
  });

  test('[SM2] how much is left and how much went is known', () => {
    const full = openContext({ messages: many(20), maxLength: 150 });
    const trimmed = trimContext(full, 5);
    expect(trimmed).toMatchObject({ chars: 150, dropped: 5 });
    expect(trimContext(trimmed, 2)).toMatchObject({ chars: 130, dropped: 7 });
  });

  test('[SM2] a turn that saw the first few messages sees those that are left', () => {
    const one = openContext({ messages: [system('s'), ...many(5)], maxLength: 50 });
    expect(leftOf(one, { first: 3, dropped: 1 })).toBe(2);
    expect(leftOf(one, { first: 3, dropped: 4 })).toBe(1);
    expect(leftOf(one, { first: 0, dropped: 4 })).toBe(0);
  });
});

describe('in a run', () => {
  const brief = (maxLength: number) => ({
    agents: [agent('coder')],
    contexts: [context('talk', { maxLength, startingMessages: [system('be brief'), ...many(10)] })],
  });

  test('[SM2] trimming is a separate fact, after the turn that made the conversation too long', () => {
    const run = new TestedRun(
      definitionOf([work('start', ask('coder', 'hello'), { transitions: [to('stop')] }), end()], brief(110)),
    );
    run.says('t1', 'fine');
    expect(run.ofKind('context.trimmed')).toEqual([
      { kind: 'context.trimmed', context: 'talk', dropped: 1, chars: 8 + 100 + 9 },
    ]);
    expect(run.snapshot.contexts['talk']).toMatchObject({ dropped: 1, chars: 107 });
  });

  test('[SM2] telling may make it too long as well', () => {
    const run = new TestedRun(
      definitionOf([work('start', tell('coder', literal('hello')), { transitions: [to('stop')] }), end()], brief(110)),
    );
    expect(run.ofKind('context.trimmed')).toHaveLength(1);
  });

  test('[SM2] a turn in progress keeps the system message when another one made the context overflow', () => {
    const units = fixed({ a: [], b: [] }, ask('coder', 'hello'));
    const run = new TestedRun(
      definitionOf([work('start', pool(units), { transitions: [to('stop')] }), end()], {
        agents: [agent('coder')],
        contexts: [context('talk', { maxLength: 60, startingMessages: [system('be brief'), say('hi'), say('ho')] })],
      }),
    );
    for (let round = 1; round <= 6; round += 1) {
      run.says('t2', 'x'.repeat(20), { toolCalls: [call(`c${round}`, 'grep')] });
      run.toolReturns('t2', `c${round}`, 'y'.repeat(20));
    }
    run.says('t2', 'done');
    expect(run.ofKind('context.trimmed')[0]?.dropped).toBeGreaterThan(2);
    expect(run.snapshot.tasks['t3']?.turn?.sees).toBe(1);
    expect(run.snapshot.contexts['talk']?.messages.items[0]?.content).toBe('be brief');
  });

  test('[SM4] a clear while another turn is in progress leaves that turn nothing of the old conversation', () => {
    const list = [
      { id: 'a', after: [], work: ask('coder', 'hello') },
      { id: 'b', after: [], work: { kind: 'turn', agent: 'coder', mode: 'clear', input: null } },
    ] as const;
    const run = new TestedRun(
      definitionOf([work('start', pool({ kind: 'fixed', list }), { transitions: [to('stop')] }), end()], brief(500)),
    );
    expect(run.snapshot.tasks['t2']?.turn?.sees).toBe(0);
    expect(run.snapshot.contexts['talk']?.messages.length).toBe(0);
    run.says('t2', 'fine');
    expect(run.snapshot.contexts['talk']?.messages.length).toBe(2);
  });

  test('[SM2] contexts are separate: messages of one are not in the other', () => {
    const run = new TestedRun(
      definitionOf(
        [
          route('start', [to('one')]),
          work('one', ask('coder', 'a'), { transitions: [to('two')] }),
          work('two', ask('reviewer', 'b'), { transitions: [to('stop')] }),
          end(),
        ],
        { agents: [agent('coder', { context: 'mine' }), agent('reviewer', { context: 'yours' })] },
      ),
    );
    run.says('t1', 'coded');
    run.says('t2', 'reviewed', { author: 'reviewer' });
    const said = (name: string) => toArray(run.snapshot.contexts[name]?.messages ?? { items: [], length: 0 });
    expect(said('mine').map((message) => message.content)).toEqual(['a', 'coded']);
    expect(said('yours').map((message) => message.content)).toEqual(['b', 'reviewed']);
  });
});
