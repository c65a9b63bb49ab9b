import { array, assert, integer, property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { CappedOutput } from './capped-output.ts';

test('[L3] what fits is kept whole', () => {
  const output = new CappedOutput(10);
  output.push(Buffer.from('hello'));
  output.push(Buffer.from('world'));
  expect(output.text()).toBe('helloworld');
  expect(output.droppedBytes).toBe(0);
});

test('[L3] beginning and end are kept, and the gap is reported', () => {
  const output = new CappedOutput(10);
  for (const letter of 'abcdefghijklmnop') output.push(Buffer.from(letter));
  expect(output.text()).toBe('abcde\n[… 6 bytes left out …]\nlmnop');
  expect(output.totalBytes).toBe(16);
});

test('[L3] a cut never leaves half a character', () => {
  for (let shift = 0; shift < 4; shift += 1) {
    const output = new CappedOutput(20);
    output.push(Buffer.from('x'.repeat(shift) + '€𝄞'.repeat(20)));
    expect(output.text()).not.toContain('\ufffd');
  }
});

test('[L3] however it is cut into chunks, the first and last bytes are the same', () => {
  const chunks = array(uint8Array({ maxLength: 40 }), { maxLength: 40 });
  const keepsBothEnds = property(chunks, integer({ min: 2, max: 100 }), (parts, max) => {
    const output = new CappedOutput(max);
    for (const part of parts) output.push(Buffer.from(part));
    const all = Buffer.concat(parts);
    const head = all.subarray(0, Math.ceil(max / 2));
    const tail = all.subarray(Math.max(head.length, all.length - Math.floor(max / 2)));
    expect(output.bytes()).toEqual(Buffer.concat([head, tail]));
  });
  expect(() => assert(keepsBothEnds)).not.toThrow();
});
