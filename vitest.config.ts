import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Hundreds of processes load the same sources: what one of them has compiled, those after it take from where Troupe itself keeps it.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');

/** Files that take longest, which would otherwise be begun last and be waited for alone; the others after them as ever. */
const LONGEST = [
  ['test/attacks/as-user.test.ts'],
  ['test/patterns/crash.test.ts'],
  ['test/review/variants.test.ts'],
  // Clients are mostly waited for, browsers mostly work: side by side they leave no core idle.
  ['test/clients/', 'test/web/page/'],
  ['test/cli/'],
  ['test/'],
];

/**
 * Tests of what leaves nothing behind in its process: they need none of their own, whose start would take longer than they do.
 * Where programs are started it is the other way round: the more a process holds, the longer it takes to start one.
 */
const PURE = ['cli', 'core', 'dialects', 'protocol', 'server', 'stages', 'telemetry']
  .map((layer) => `src/${layer}/**/*.test.ts`)
  .concat('web/**/*.test.ts');

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  const path = relative(import.meta.dirname, moduleId);
  const at = LONGEST.findIndex((starts) => starts.some((start) => path.startsWith(start)));
  if (at !== -1) return at;
  // Those that share a process follow one another.
  return project.config.isolate ? LONGEST.length : LONGEST.length + 1;
}

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The built program is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    // They wait for disks, clients and browsers a third of the time.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...PURE],
        },
      },
      { extends: true, test: { name: 'together', include: PURE, isolate: false } },
    ],
  },
});
