import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LINE_WRITERS } from './line-writers.ts';

test('[PH8] the specification names every fact that has a line, and no other', () => {
  const text = readFileSync(new URL('../../../docs/spec/log-lines.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z]+\.[a-z]+)` \| /gm)].map((match) => match[1] ?? '');
  expect(new Set(rows)).toEqual(new Set(Object.keys(LINE_WRITERS)));
});
