import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { ToolCall } from '../../src/core/model/message.ts';
import { says } from '../../src/host/testing/test-world.ts';

const code = (name: string): string => readFileSync(join(import.meta.dirname, `implementations/${name}.ts`), 'utf8');

/** Passes every vector of the document, and is complete. */
export const CAREFUL = code('careful');
/** Correct, and nothing else. */
export const PLAIN = code('plain');
/** Slow, and wrong: red. */
export const POOR = code('poor');

const GOOD_LINE = '  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null;\n';
const BAD_LINE = GOOD_LINE.replace('return null', 'return decode(text.toLowerCase())');

/** The careful one with a bug that no vector of the document finds. */
export const PLANTED = CAREFUL.replace(GOOD_LINE, BAD_LINE);

export const lineOfBug = (text: string): number => text.split('\n').indexOf(BAD_LINE.trimEnd()) + 1;

const OWN_TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from '../src/bech32.ts';

test('what is written can be read', () => {
  for (let length = 0; length < 40; length += 1) {
    const words = Array.from({ length }, (_, index) => (index * 7) % 32);
    assert.deepEqual(decode(encode('ab', words)), { prefix: 'ab', words });
  }
});

test('what cannot be written is refused', () => {
  assert.throws(() => encode('', []), RangeError);
  assert.throws(() => encode('a', [32]), RangeError);
});
`;

const MIXED_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../src/bech32.ts';

test('mixed case is refused', () => {
  assert.equal(decode('A12uEL5L'), null);
});
`;

export const writes = (path: string, content: string): ToolCall => ({
  id: `write ${path}`,
  name: 'write_file',
  arguments: { path, content },
});

/** Writes its files in the first call of its turn, and says so in the second. */
export const makes = ({ call }: CallRequest, ...calls: readonly ToolCall[]): CallReply =>
  call === 1 && calls.length > 0 ? says('', calls) : says('It is done.');

/** Complete, with its own tests; revises what the findings name and nothing else. */
export function carefulImplementer(request: CallRequest, source: string = PLANTED): CallReply {
  if (request.state !== 'revise') {
    return makes(request, writes('src/bech32.ts', source), writes('test/more.test.ts', OWN_TESTS));
  }
  const order = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const mend: ToolCall = {
    id: 'mend',
    name: 'edit_file',
    arguments: { path: 'src/bech32.ts', old: BAD_LINE, new: GOOD_LINE },
  };
  return makes(
    request,
    ...(order.includes('Mixed case is accepted') ? [mend] : []),
    ...(order.includes('No test shows') ? [writes('test/mixed.test.ts', MIXED_TEST)] : []),
  );
}

export const plainImplementer = (request: CallRequest): CallReply => makes(request, writes('src/bech32.ts', PLAIN));

export const poorImplementer = (request: CallRequest): CallReply => makes(request, writes('src/bech32.ts', POOR));
