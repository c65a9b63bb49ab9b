import type { TextStreamPart, ToolSet } from 'ai';
import { expect, test } from 'vitest';
import { readStream } from './read-stream.ts';

type Part = TextStreamPart<ToolSet>;

async function* streamOf(...parts: readonly unknown[]): AsyncGenerator<Part> {
  for (const part of parts) yield part as Part;
}

const call = (toolCallId: string, input: unknown) => ({ type: 'tool-call', toolCallId, toolName: 'list', input });

test.each(['__proto__', 'constructor', 'c1'])(
  '[L3] arguments that are no object are told under the id %s that the model chose',
  async (id) => {
    const reply = await readStream(streamOf(call(id, 'not an object')), () => undefined);
    expect(Object.keys(reply.malformed)).toEqual([id]);
    expect(typeof reply.malformed[id]).toBe('string');
  },
);

test('[L3] a call whose id is the name of a method is not malformed by that', async () => {
  const parts = [call('toString', {}), call('c2', 'not an object')];
  const { malformed } = await readStream(streamOf(...parts), () => undefined);
  expect(malformed['toString']).toBeUndefined();
  expect(malformed['c2']).toBeDefined();
});
