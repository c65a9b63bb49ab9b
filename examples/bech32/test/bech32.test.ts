import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from '../src/bech32.ts';
import { INVALID, VALID } from './vectors.ts';

for (const text of VALID) {
  await test(`${text} is read, and written again`, () => {
    const decoded = decode(text);
    assert.ok(decoded);
    assert.equal(encode(decoded.prefix, decoded.words), text.toLowerCase());
  });
}

for (const [text, reason] of Object.entries(INVALID)) {
  await test(`${JSON.stringify(text)} is refused: ${reason}`, () => {
    assert.equal(decode(text), null);
  });
}

await test('a changed character is found', () => {
  for (const text of VALID.slice(1)) {
    const last = text.at(-1) === 'q' ? 'p' : 'q';
    assert.equal(decode(`${text.slice(0, -1)}${last}`), null);
  }
});
