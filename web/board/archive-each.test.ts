import { expect, test } from 'vitest';
import { archiveEach } from './archive-each.ts';

test('[U2] one that cannot be archived holds up none of the others, and is not counted', async () => {
  const asked: string[] = [];
  const archive = async (run: string): Promise<void> => {
    asked.push(run);
    if (run === 'b') throw new Error('It is archived already.');
    return await Promise.resolve();
  };
  expect(await archiveEach([{ run: 'a' }, { run: 'b' }, { run: 'c' }], archive)).toBe(2);
  expect(asked).toEqual(['a', 'b', 'c']);
});
