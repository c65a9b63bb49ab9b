import { expect, test } from 'vitest';
import { workDiffText } from './work-diff-text.ts';

test('[PD2] the list of changed files is bounded too, and says how many more there are', () => {
  const changes = Array.from({ length: 5000 }, (_, index) => ({ path: `generated/file-${index}.txt` }));
  const text = workDiffText({ changes, stat: { files: [] }, patch: Buffer.from('') });
  expect(text).toContain('5000 changed:\ngenerated/file-0.txt +0 -0\n');
  expect(text).toContain('file-199.txt +0 -0\n[… 4800 more files]');
  expect(text.length).toBeLessThan(20_000);
});

test('[A7] a diff that is cut names the files that are shown in part or not at all', () => {
  const paths = ['a.txt', 'b.txt', 'c d.txt'];
  const patch = paths.map((path) => `diff --git a/${path} b/${path}\n${`+${'x'.repeat(99)}\n`.repeat(300)}`).join('');
  const text = workDiffText({
    changes: paths.map((path) => ({ path })),
    stat: { files: [] },
    patch: Buffer.from(patch),
  });
  expect(text).toMatch(/more characters\. Shown in part: b\.txt\. Not shown: c d\.txt\.\]$/);
});
