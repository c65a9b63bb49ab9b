import { expect, test } from 'vitest';
import { shownContent, wholeContent, wireContent } from '../artifacts-of.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const FILE = { path: 'a.bin', bytes: 3 };

async function* pieces(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield bytes(text);
}

test('[PH4] text is shown as it is, and binary content is announced', () => {
  expect(shownContent(bytes('# Plan\n'), FILE)).toBe('# Plan\n');
  expect(shownContent(bytes('no end'), FILE)).toBe('no end\n');
  expect(shownContent(bytes(''), FILE)).toBe('');
  expect(shownContent(bytes('a\0b'), FILE)).toMatch(/^a\.bin is binary, 3 bytes\. .*> FILE\n$/);
  expect(shownContent(bytes('\xff\xfe'), FILE)).toContain('is binary');
});

test('content cannot steer the terminal', () => {
  expect(shownContent(bytes('a\u001B[2Jb\r\n'), FILE)).toBe('ab\n');
});

test('[PH4] in JSON text is text and binary is base64', () => {
  expect(wireContent(bytes('é'))).toEqual({ content_base64: '6Q==' });
  expect(wireContent(Buffer.from('é'))).toEqual({ content: 'é' });
  expect(wireContent(bytes('\0'))).toEqual({ content_base64: 'AA==' });
});

test('[PH4] a file that is too large to show says what to do', async () => {
  expect(await wholeContent(pieces('ab', 'c'), FILE)).toEqual(bytes('abc'));
  const large = wholeContent(pieces(), { path: 'a.bin', bytes: 1e9 });
  await expect(large).rejects.toMatchObject({ code: 'ARTIFACT_LARGE', hint: expect.stringContaining('> FILE') });
});
