import { describe, expect, test } from 'vitest';
import { append, emptyList, listOf } from './append-list.ts';
import type { Message } from './message.ts';
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

describe('one conversation, seen from both sides', () => {
  test('[SM3] an agent’s own words and calls are the assistant’s, everyone else’s are a user’s with the author named', () => {
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

  test('[SM3] the other side sees its own words as assistant, also when it speaks as user, and tools as text', () => {
    expect(viewFor('reviewer', listOf(shared), none)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '[workflow to coder] Build it.' },
      { role: 'user', content: '[coder] Looking.\ncalled grep with {"pattern":"x"}' },
      { role: 'user', content: '[coder] grep returned: found x' },
      { role: 'user', content: '[coder] Built.' },
      { role: 'user', content: 'Review it.' },
      { role: 'assistant', content: 'Too long.' },
      { role: 'user', content: 'Hurry up.' },
    ]);
  });

  test('[SM4] a structured reply is text for the other side', () => {
    const verdict: Message = {
      author: 'reviewer',
      role: 'user',
      content: '',
      toolCalls: [{ id: 'p1', name: 'verdict', arguments: { ok: true } }],
    };
    expect(viewFor('coder', listOf([verdict]), none)).toEqual([
      { role: 'user', content: '[reviewer] called verdict with {"ok":true}' },
    ]);
  });

  test('[SM3] a message of another with nothing in it is not shown as an empty one', () => {
    expect(viewFor('coder', listOf([{ author: 'reviewer', role: 'user', content: '' }]), none)).toEqual([]);
  });

  test('[SM7] an error of a tool, and what a provider wants back, travel along on the agent’s own side', () => {
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

  test('[SM8] the turn under way comes after as much of the context as it saw when it began', () => {
    const context = listOf(shared);
    const turn = listOf<Message>([{ author: 'workflow', to: 'coder', role: 'user', content: 'Go.' }]);
    const early = viewFor('coder', { items: context.items, length: 2 }, turn);
    expect(early.map((message) => message.content)).toEqual(['Be brief.', 'Build it.', 'Go.']);
  });
});

describe('looking again', () => {
  test('[L9] what was seen before is the same after others have looked further', () => {
    const context = listOf(shared);
    const short = { items: context.items, length: 3 };
    const before = viewFor('coder', short, none);
    expect(viewFor('coder', context, none)).toHaveLength(8);
    expect(viewFor('coder', short, none)).toEqual(before);
    expect(before).toHaveLength(3);
  });

  test('[L9] what is appended later is seen later', () => {
    const older = listOf<Message>(shared.slice(0, 2));
    expect(viewFor('coder', older, none)).toHaveLength(2);
    const newer = append(older, { author: 'coder', role: 'assistant', content: 'More.' });
    expect(viewFor('coder', newer, none)).toHaveLength(3);
    expect(viewFor('coder', older, none)).toHaveLength(2);
  });

  test('[L9] two turns that go on from the same conversation do not see each other’s calls', () => {
    const context = listOf<Message>([]);
    const turn = (name: string) =>
      listOf<Message>([
        { author: 'coder', role: 'assistant', content: '', toolCalls: [{ id: 'c1', name, arguments: {} }] },
        { author: 'coder', role: 'tool', content: 'r', toolCallId: 'c1' },
      ]);
    expect(viewFor('coder', context, turn('grep'))[1]).toMatchObject({ toolName: 'grep' });
    expect(viewFor('coder', context, turn('glob'))[1]).toMatchObject({ toolName: 'glob' });
  });

  test('[L9] the list that is given back is the reader’s own: changing it changes nobody’s view', () => {
    const context = listOf(shared);
    const first = viewFor('coder', context, none) as unknown[];
    first.length = 0;
    expect(viewFor('coder', context, none)).toHaveLength(8);
  });
});
