import { expect, test } from 'vitest';
import { workDiffText } from './run-diff.ts';

test('[PD2] the list of changed files is bounded too, and says how many more there are', () => {
  const changes = Array.from({ length: 5000 }, (_, index) => ({ path: `generated/file-${index}.txt` }));
  const text = workDiffText({ changes, stat: { files: [] }, patch: Buffer.from('') });
  expect(text).toContain('5000 changed:\ngenerated/file-0.txt +0 -0\n');
  expect(text).toContain('file-199.txt +0 -0\n[… 4800 more files]');
  expect(text.length).toBeLessThan(20_000);
});
