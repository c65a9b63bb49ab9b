import { historyOf } from './run-history.ts';
import { describe, expect, test } from 'vitest';
import { type Entry, seenAs, seenBy } from './transcript-entry.ts';
import { recordedTree } from './testing/recorded-tree.ts';
import { entered, smallRun, turn } from './testing/small-run.ts';
import { ended } from '../../src/protocol/workflow-state/testing/test-records.ts';

const NO_USE = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 };

const answered = (task: string, content: string, more: object = {}): object => ({
  kind: 'call.answered',
  task,
  call: 1,
  attempt: 1,
  message: { author: 'ada', role: 'assistant', content, ...more },
  usage: NO_USE,
  costUsd: 0.5,
  model: 'smart',
  ms: 7,
});

const calling = (task: string, id: string, name = 'read_file'): object =>
  answered(task, 'I look.', { toolCalls: [{ id, name, arguments: { path: 'a.txt' } }] });

const finished = (task: string, toolCall: string, more: object = {}): object => ({
  kind: 'tool.finished',
  task,
  toolCall,
  content: 'text',
  isError: false,
  ms: 3,
  ...more,
});

const words = (entries: readonly Entry[]): readonly string[] =>
  entries.map((one) =>
    one.kind === 'said'
      ? `${one.message.author}: ${one.message.content} (${one.standing})`
      : `${one.kind} (${one.standing})`,
  );

describe('[U2] what was said in a run', () => {
  test('[U9] what a client asked by itself waits until it is settled, and no longer', () => {
    const call = { id: 'c1', name: 'Bash', arguments: { command: 'ls' } };
    const asked = [turn('t1', 's'), { kind: 'permission.asked', task: 't1', toolCall: 'c1', call }];
    const settled = { kind: 'permission.settled', task: 't1', toolCall: 'c1', forAll: false, by: 'me' };
    const activityIn = (...facts: readonly object[]): object | undefined =>
      historyOf(smallRun(...facts)).transcript.entries.find(({ kind }) => kind === 'activity');
    expect(activityIn(...asked)).toMatchObject({ activity: { status: 'running' }, endedAt: null });
    expect(activityIn(...asked, { ...settled, isAllowed: true })).toMatchObject({
      activity: { status: 'ok' },
      endedAt: 4000,
    });
    expect(activityIn(...asked, { ...settled, isAllowed: false })).toMatchObject({ activity: { status: 'denied' } });
  });

  test('a turn is open until it ends, then it joins its conversation in one piece', () => {
    const begun = [entered('s', 1), turn('t1', 's'), answered('t1', 'Done.')];
    expect(words(historyOf(smallRun(...begun)).transcript.entries)).toEqual([
      'workflow: do it (open)',
      'ada: Done. (open)',
    ]);
    const over = historyOf(smallRun(...begun, ended('t1'))).transcript.entries;
    expect(words(over)).toEqual(['workflow: do it (joined)', 'ada: Done. (joined)']);
    expect(over[1]).toMatchObject({
      seq: 4,
      context: 'c',
      agent: 'ada',
      state: 's',
      visit: 1,
      answer: { model: 'smart', costUsd: 0.5 },
    });
  });

  test('what an agent said and heard in a turn that failed stays in that turn, and its failure is shown', () => {
    const failure = { code: 'X', message: 'It broke.', class: 'server' };
    const entries = historyOf(
      smallRun(entered('s', 1), turn('t1', 's'), answered('t1', 'Hm.'), ended('t1', 'failed', failure)),
    ).transcript.entries;
    expect(words(entries)).toEqual(['workflow: do it (apart)', 'ada: Hm. (apart)', 'note (joined)']);
    expect(entries[2]).toMatchObject({ tone: 'bad', text: 'It broke.', code: 'X', outcome: 'failed' });
  });

  test('only what the agent of a failed turn never answered was not heard', () => {
    const failure = { code: 'X', message: 'It broke.', class: 'server' };
    const nudged = { kind: 'turn.nudged', task: 't1', text: 'Change a file.' };
    const over = (...facts: readonly object[]): readonly string[] =>
      words(
        historyOf(smallRun(entered('s', 1), turn('t1', 's'), ...facts, ended('t1', 'failed', failure))).transcript
          .entries,
      );
    expect(over()).toEqual(['workflow: do it (lost)', 'note (joined)']);
    expect(over(answered('t1', 'Hm.'), nudged)).toEqual([
      'workflow: do it (apart)',
      'ada: Hm. (apart)',
      'troupe: Change a file. (lost)',
      'note (joined)',
    ]);
    const activity = {
      kind: 'activity.noted',
      task: 't1',
      items: [{ id: 'a', kind: 'tool', name: 'Bash', status: 'ok' }],
    };
    expect(over(activity)[0]).toBe('workflow: do it (apart)');
  });

  test('a tool call carries its result, its time and why it was refused', () => {
    const run = smallRun(
      entered('s', 1),
      turn('t1', 's'),
      calling('t1', 'c1'),
      finished('t1', 'c1', { refused: 'PATH_OUTSIDE', isError: true }),
    );
    const said = historyOf(run).transcript.entries[1];
    expect(said).toMatchObject({
      uses: [
        {
          id: 'c1',
          name: 'read_file',
          status: 'refused',
          result: { seq: 5, content: 'text', ms: 3, refused: 'PATH_OUTSIDE' },
        },
      ],
    });
  });

  test('a structured reply is one that was taken; an unanswered call is left when the turn ends', () => {
    const taken = smallRun(
      turn('t1', 's'),
      calling('t1', 'c1', 'hand_in'),
      finished('t1', 'c1', { accepted: true }),
      ended('t1'),
    );
    expect(historyOf(taken).transcript.entries[1]).toMatchObject({ uses: [{ status: 'reply' }] });
    const left = smallRun(turn('t1', 's'), calling('t1', 'c1'), ended('t1', 'cancelled'));
    expect(historyOf(left).transcript.entries[1]).toMatchObject({ uses: [{ status: 'left', result: null }] });
  });

  test('[A6] a compaction is a note with its sizes, then what the agent reads in place of the conversation', () => {
    const compacted = {
      kind: 'turn.compacted',
      task: 't1',
      messages: 12,
      before: 9000,
      after: 800,
      text: 'In short: …',
    };
    const { entries } = historyOf(
      smallRun(entered('s', 1), turn('t1', 's'), answered('t1', 'Hm.'), compacted),
    ).transcript;
    expect(entries.at(-2)).toMatchObject({ text: 'compacted: 12 messages, about 9k → 800 tokens' });
    expect(words(entries).at(-1)).toContain('troupe: In short: …');
  });

  test('what was cleared or trimmed away is gone, and a note says so', () => {
    const talk = [turn('t1', 's'), answered('t1', 'One.'), ended('t1')];
    const cleared = historyOf(smallRun(...talk, { kind: 'context.cleared', context: 'c' })).transcript.entries;
    expect(words(cleared)).toEqual(['workflow: do it (gone)', 'ada: One. (gone)', 'note (joined)']);
    const trimmed = historyOf(smallRun(...talk, { kind: 'context.trimmed', context: 'c', dropped: 1, chars: 3 }))
      .transcript.entries;
    expect(words(trimmed)).toEqual(['workflow: do it (gone)', 'ada: One. (joined)', 'note (joined)']);
  });

  test('after a run was put back what came since is undone, and nothing is taken out', () => {
    const first = [entered('s', 1), turn('t1', 's'), answered('t1', 'One.'), ended('t1')];
    const again = [entered('s', 2), turn('t2', 's'), answered('t2', 'Two.'), ended('t2')];
    const state = {
      current: { state: 's' },
      tasks: {},
      visits: { s: 1 },
      path: { items: [], length: 0 },
      contexts: {},
      failures: { items: [], length: 0 },
    };
    const run = smallRun(...first, ...again, { kind: 'run.rewound', to: 5, by: 'me', state });
    expect(words(historyOf(run).transcript.entries)).toEqual([
      'workflow: do it (joined)',
      'ada: One. (joined)',
      'workflow: do it (undone)',
      'ada: Two. (undone)',
      'note (joined)',
    ]);
  });

  test('an activity of a client is one entry, however often it is reported', () => {
    const activity = (status: string): object => ({
      kind: 'activity.noted',
      task: 't1',
      items: [{ id: 'x', kind: 'tool', name: 'Bash', status, text: 'ls' }],
    });
    const entries = historyOf(smallRun(turn('t1', 's'), activity('running'), activity('ok'))).transcript.entries;
    expect(entries).toHaveLength(2);
    expect(entries[1]).toMatchObject({ kind: 'activity', activity: { status: 'ok' }, at: 3000, endedAt: 4000 });
  });

  test.each(['demo', 'review', 'quest'] as const)(
    'every message that a real run (%s) has in its conversations is shown',
    (name) => {
      const tree = recordedTree(name);
      for (const run of tree.runs.values()) {
        for (const [context, { messages }] of Object.entries(run.snapshot.contexts)) {
          const contents = historyOf(run).transcript.entries.flatMap((one) =>
            one.kind === 'said' && one.context === context && one.standing === 'joined' ? [one.message.content] : [],
          );
          expect(contents).toEqual(messages.items.slice(0, messages.length).map(({ content }) => content));
        }
      }
    },
  );
});

describe('[SM3] a conversation as one agent sees it', () => {
  test('its own words are its own, those of others bear their names', () => {
    const said = { author: 'bob', role: 'assistant', content: 'Hello.' } as const;
    expect(seenAs('bob', said)).toMatchObject({ role: 'assistant', content: 'Hello.' });
    expect(seenAs('ada', said)).toMatchObject({ role: 'user', content: '[bob] Hello.' });
  });

  test('a result is seen with the name of its tool', () => {
    const caller = {
      author: 'bob',
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c', name: 'ls', arguments: {} }],
    } as const;
    const result = { author: 'bob', role: 'tool', content: 'a.txt', toolCallId: 'c' } as const;
    expect(seenAs('bob', result, caller)).toMatchObject({ role: 'tool', toolName: 'ls' });
    expect(seenAs('ada', result, caller)).toMatchObject({ role: 'user', content: '[bob] used ls with {}' });
  });

  test('what others say under way is not heard yet', () => {
    const { entries } = historyOf(smallRun(turn('t1', 's'), answered('t1', 'Thinking.'))).transcript;
    expect(seenBy('ada', entries)).toHaveLength(2);
    expect(seenBy('bob', entries)).toHaveLength(0);
  });
});
