import { describe, expect, test } from 'vitest';
import { append, emptyList, listOf } from '../model/append-list.ts';
import type { JsonObject } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import { viewFor } from './view.ts';

const call = { id: 'c1', name: 'grep', arguments: { pattern: 'x' } };
const shared: readonly Message[] = [
  { author: 'system', role: 'system', content: 'Be brief.' },
  { author: 'workflow', to: 'coder', role: 'user', content: 'Build it.' },
  { author: 'coder', role: 'assistant', content: 'Looking.', toolCalls: [call] },
  { author: 'coder', role: 'tool', content: 'found x', toolCallId: 'c1' },
  { author: 'coder', role: 'assistant', content: 'Built.' },
  { author: 'workflow', to: 'reviewer', role: 'user', content: 'Review it.' },
  { author: 'reviewer', role: 'user', content: 'Too long.' },
  { author: 'person', role: 'user', content: 'Hurry up.' },
];
const none = emptyList<Message>();

const reply = (author: string, name: string, given: JsonObject): readonly Message[] => [
  { author, role: 'user', content: '', toolCalls: [{ id: 'p1', name, arguments: given }] },
  { author, role: 'tool', content: 'Received.', toolCallId: 'p1', isReply: true },
];

describe('one conversation, seen from both sides', () => {
  test('[SM3] an agent’s own messages and calls are the assistant’s, all others are a user’s with the author named', () => {
    expect(viewFor('coder', listOf(shared), none)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Build it.' },
      { role: 'assistant', content: 'Looking.', toolCalls: [call] },
      { role: 'tool', content: 'found x', toolCallId: 'c1', toolName: 'grep' },
      { role: 'assistant', content: 'Built.' },
      { role: 'user', content: '[workflow to reviewer] Review it.' },
      { role: 'user', content: '[reviewer] Too long.' },
      { role: 'user', content: 'Hurry up.' },
    ]);
  });

  test('[SM3] the other side sees its own messages as assistant, also when it speaks as user, and nothing of calls that only read', () => {
    expect(viewFor('reviewer', listOf(shared), none)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '[workflow to coder] Build it.' },
      { role: 'user', content: '[coder] Looking.' },
      { role: 'user', content: '[coder] Built.' },
      { role: 'user', content: 'Review it.' },
      { role: 'assistant', content: 'Too long.' },
      { role: 'user', content: 'Hurry up.' },
    ]);
  });

  test('[SM4] a structured reply is text for the other side, without the engine’s receipt', () => {
    expect(viewFor('coder', listOf(reply('reviewer', 'verdict', { ok: true })), none)).toEqual([
      { role: 'user', content: '[reviewer] called verdict with {"ok":true}' },
    ]);
  });

  test('[A2] a call of another agent that was refused or failed is in no one else’s view', () => {
    const failed: readonly Message[] = [
      { author: 'coder', role: 'assistant', content: 'Writing.', toolCalls: [call] },
      { author: 'coder', role: 'tool', content: 'Not allowed.', toolCallId: 'c1', isError: true },
    ];
    expect(viewFor('reviewer', listOf(failed), none)).toEqual([{ role: 'user', content: '[coder] Writing.' }]);
    expect(viewFor('coder', listOf(failed), none)).toHaveLength(2);
  });

  test('[A2] a tool that another agent used is one short line, however much it wrote or read', () => {
    const big = { id: 'w1', name: 'write_file', arguments: { path: 'a.ts', content: 'x'.repeat(10_000) } };
    const wrote: readonly Message[] = [
      { author: 'coder', role: 'assistant', content: '', toolCalls: [big] },
      { author: 'coder', role: 'tool', content: 'y'.repeat(10_000), toolCallId: 'w1' },
    ];
    const [line, ...more] = viewFor('reviewer', listOf(wrote), none);
    expect(more).toEqual([]);
    expect(line?.content).toMatch(/^\[coder\] used write_file with \{"path":"a.ts"/);
    expect(line?.content.length).toBeLessThan(100);
  });

  test('[A2] a message of the engine to one agent is marked as the engine’s, and hidden from others', () => {
    const nudge: Message = { author: 'troupe', to: 'coder', role: 'user', content: 'Go on.' };
    expect(viewFor('coder', listOf([nudge]), none)).toEqual([{ role: 'user', content: '[troupe] Go on.' }]);
    expect(viewFor('reviewer', listOf([nudge]), none)).toEqual([]);
  });

  test('[SM3] a message of another with nothing in it is not shown as an empty one', () => {
    expect(viewFor('coder', listOf([{ author: 'reviewer', role: 'user', content: '' }]), none)).toEqual([]);
  });

  test('[SM7] a tool’s error, and data that a provider needs back, stay on the agent’s own side', () => {
    const own: readonly Message[] = [
      { author: 'coder', role: 'assistant', content: '', toolCalls: [call], meta: { signature: 's' } },
      { author: 'coder', role: 'tool', content: 'no', toolCallId: 'c1', isError: true },
    ];
    expect(viewFor('coder', listOf(own), none)).toEqual([
      { role: 'assistant', content: '', toolCalls: [call], meta: { signature: 's' } },
      { role: 'tool', content: 'no', toolCallId: 'c1', toolName: 'grep', isError: true },
    ]);
    expect(JSON.stringify(viewFor('reviewer', listOf(own), none))).not.toContain('signature');
  });

  test('[SM8] the turn in progress follows the part of the context that it saw when it began', () => {
    const context = listOf(shared);
    const turn = listOf<Message>([{ author: 'workflow', to: 'coder', role: 'user', content: 'Go.' }]);
    const early = viewFor('coder', { items: context.items, length: 2 }, turn);
    expect(early.map((message) => message.content)).toEqual(['Be brief.', 'Build it.', 'Go.']);
  });
});

describe('feedback that an order repeats', () => {
  const remark = 'Add an index to the query.';
  const order = (to: string, content: string): Message => ({ author: 'workflow', to, role: 'user', content });
  const sentBack: readonly Message[] = [
    order('coder', 'Build it.'),
    { author: 'coder', role: 'assistant', content: 'Built.' },
    order('reviewer', 'Review it.'),
    ...reply('reviewer', 'review_work', { improvement_needed: true, continue_message: remark }),
  ];
  const contents = (agent: string, context: readonly Message[], turn: readonly Message[] = []) =>
    viewFor(agent, listOf(context), listOf(turn)).map(({ content }) => content);

  test('[A2] it appears only in the order, whole, in the view of the agent that gets the order', () => {
    const view = contents('coder', sentBack, [order('coder', `Not yet: ${remark}`)]);
    expect(view.at(-1)).toBe(`Not yet: ${remark}`);
    expect(view.at(-2)).toBe(
      '[reviewer] called review_work with {"improvement_needed":true,"continue_message":"(in your order below)"}',
    );
  });

  test('[A2] it appears at its first place in the views of all others, and of its author', () => {
    const context = [...sentBack, order('coder', `Not yet: ${remark}`)];
    expect(contents('lead', context).at(-1)).toBe('[workflow to coder] Not yet: (what [reviewer] said above)');
    expect(contents('reviewer', context).at(-1)).toBe('[workflow to coder] Not yet: (what you said above)');
  });

  test('[A2] text that is no structured reply is not repeated either', () => {
    const said: Message = { author: 'planner', role: 'assistant', content: 'First the parser, then the printer.' };
    const view = contents('coder', [said], [order('coder', `The plan:\n${said.content}`)]);
    expect(view).toEqual(['[planner] (in your order below)', `The plan:\n${said.content}`]);
  });

  test('[A5] the view is the same during the turn and after it has joined the context', () => {
    const turn = [order('coder', remark), { author: 'coder', role: 'assistant', content: 'Done.' } as const];
    const during = contents('coder', sentBack, turn);
    expect(contents('coder', [...sentBack, ...turn])).toEqual(during);
  });

  test('[A5] messages sent to an agent before are not changed by a later order', () => {
    const heard = [...sentBack, order('coder', 'Look at the review.')];
    const before = contents('coder', heard);
    const after = contents('coder', [...heard, order('coder', remark)]);
    expect(after.slice(0, before.length)).toEqual(before);
  });

  test('[A2] a turn that began before the order was given still sees all of it', () => {
    const context = listOf([...sentBack, order('coder', remark)]);
    expect(viewFor('coder', context, none).at(-2)?.content).toContain('(in your order below)');
    expect(viewFor('coder', { items: context.items, length: sentBack.length }, none).at(-1)?.content).toContain(remark);
  });

  test('[A2] a word that may occur anywhere is no feedback', () => {
    const verdict = reply('reviewer', 'verdict', { severity: 'major' });
    const view = contents('coder', verdict, [order('coder', 'Fix the major points.')]);
    expect(view[0]).toContain('"severity":"major"');
  });

  test('[A2] a verdict and a file that an order names stay in the reply', () => {
    const verdict = reply('reviewer', 'verdict', { verdict: 'request_changes', file: 'src/parser.ts' });
    const view = contents('coder', verdict, [order('coder', 'One said request_changes for src/parser.ts.')]);
    expect(view[0]).toContain('{"verdict":"request_changes","file":"src/parser.ts"}');
  });
});

describe('looking again', () => {
  test('[A1] an order that is given twice in a row appears twice', () => {
    const order: Message = { author: 'workflow', to: 'coder', role: 'user', content: 'Review the work of the coder.' };
    const view = viewFor('coder', listOf([order, order]), none);
    expect(view.map(({ content }) => content)).toEqual([order.content, order.content]);
  });

  test('[L9] an earlier view is the same after others have read further', () => {
    const context = listOf(shared);
    const short = { items: context.items, length: 4 };
    const before = viewFor('coder', short, none);
    expect(viewFor('coder', context, none)).toHaveLength(8);
    expect(viewFor('coder', short, none)).toEqual(before);
    expect(before).toHaveLength(4);
  });

  test('[L9] messages appended later are seen later', () => {
    const older = listOf<Message>(shared.slice(0, 2));
    expect(viewFor('coder', older, none)).toHaveLength(2);
    const newer = append(older, { author: 'coder', role: 'assistant', content: 'More.' });
    expect(viewFor('coder', newer, none)).toHaveLength(3);
    expect(viewFor('coder', older, none)).toHaveLength(2);
  });

  test('[L9] two turns that continue the same conversation do not see each other’s calls', () => {
    const context = listOf<Message>([]);
    const turn = (name: string) =>
      listOf<Message>([
        { author: 'coder', role: 'assistant', content: '', toolCalls: [{ id: 'c1', name, arguments: {} }] },
        { author: 'coder', role: 'tool', content: 'r', toolCallId: 'c1' },
      ]);
    expect(viewFor('coder', context, turn('grep'))[1]).toMatchObject({ toolName: 'grep' });
    expect(viewFor('coder', context, turn('glob'))[1]).toMatchObject({ toolName: 'glob' });
  });

  test('[L9] the returned list is a copy: changing it changes no view', () => {
    const context = listOf(shared);
    const first = viewFor('coder', context, none) as unknown[];
    first.length = 0;
    expect(viewFor('coder', context, none)).toHaveLength(8);
  });
});
