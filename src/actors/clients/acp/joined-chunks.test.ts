import { expect, test } from 'vitest';
import { JoinedChunks } from './joined-chunks.ts';

const chunk = (text: string, kind = 'agent_message_chunk'): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 's', update: { sessionUpdate: kind, content: { type: 'text', text } } },
  });

test('[P8] pieces of one text are kept as one line, so that a secret cut in two is found in it', () => {
  const kept: string[] = [];
  const lines = new JoinedChunks((line) => void kept.push(line));
  const other = '{"jsonrpc":"2.0","id":1,"result":{}}';
  for (const line of [
    chunk('my key is sk-12'),
    chunk('34'),
    other,
    'no JSON _chunk"',
    chunk('a'),
    chunk('b', 'agent_thought_chunk'),
  ])
    lines.add(line);
  lines.flush();
  expect(kept).toEqual([
    chunk('my key is sk-1234'),
    other,
    'no JSON _chunk"',
    chunk('a'),
    chunk('b', 'agent_thought_chunk'),
  ]);
});
