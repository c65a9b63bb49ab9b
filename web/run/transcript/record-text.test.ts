import { expect, test } from 'vitest';
import { clipRecord } from '../../../src/protocol/web/clip-record.ts';
import { taskId } from '../../../src/core/model/ids.ts';
import type { Fact } from '../../../src/core/record/fact.ts';
import type { PageRecord } from '../../../src/protocol/web/record-page.ts';
import { callIn, cutInCall, cutOf, textAt } from './record-text.ts';
import { startedRun } from '../../../src/core/testing/started-run.ts';

const LONG = 'x'.repeat(50_000);

const clipped = (fact: Fact): PageRecord => clipRecord('r', { seq: 1, at: 1, fact, commit: 1 });

const finished: Fact = {
  kind: 'tool.finished',
  task: taskId('t1'),
  toolCall: 'c',
  content: LONG,
  isError: false,
  ms: 1,
};

test('[U2] a text that was cut is known by its place, and found whole in the whole record', () => {
  const cut = cutOf(clipped(finished), 'as an agent sees it');
  expect(cut).toMatchObject({ path: ['content'], length: 50_000 });
  expect(textAt(finished, cut?.path ?? [])).toHaveLength(50_000);
  expect(textAt(finished, ['no', 'such', 'place'])).toBe('');
});

test('[U2] a text that was cut anywhere else is known by its words', () => {
  const message = { author: 'workflow', role: 'user', content: LONG } as const;
  const contexts = [{ name: 'c', messages: [{ ...message, content: 'short' }, message], maxLength: 1000 }];
  const line = clipped({ ...startedRun('r'), contexts });
  expect(cutOf(line, LONG.slice(0, 4000))?.path).toEqual(['contexts', 0, 'messages', 1, 'content']);
  expect(cutOf(line, 'short')).toBeNull();
});

test('[U2] what a tool was given says that it was cut, and is found whole', () => {
  const toolCalls = ['a', 'b'].map((id) => ({ id, name: 'write_file', arguments: { path: id, content: LONG } }));
  const answered: Fact = {
    kind: 'call.answered',
    task: taskId('t1'),
    call: 1,
    attempt: 1,
    message: { author: 'ada', role: 'assistant', content: '', toolCalls },
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
    costUsd: 0,
    model: 'm',
    ms: 1,
  };
  expect(cutInCall(clipped(answered), 'b')).toBe(50_000);
  expect(cutInCall(clipped(answered), 'nobody')).toBe(0);
  expect(cutInCall(clipped(finished), 'c')).toBe(0);
  expect(callIn(answered, 'b')?.arguments).toMatchObject({ content: LONG });
});
