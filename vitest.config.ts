import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, which would otherwise be begun last and be waited for alone; the others after them as ever. */
const LONGEST = [
  'test/attacks/as-user.test.ts',
  'test/patterns/crash.test.ts',
  'test/review/variants.test.ts',
  'test/clients/',
  'test/cli/',
  'test/',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const path = relative(import.meta.dirname, moduleId);
  const at = LONGEST.findIndex((start) => path.startsWith(start));
  return at === -1 ? LONGEST.length : at;
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // They wait for disks and for other processes a third of the time.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    sequence: { sequencer: LongestFirst },
  },
});
