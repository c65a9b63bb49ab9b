import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Hundreds of processes load the same sources: what one of them has compiled, those after it take from where Troupe itself keeps it.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');

/**
 * The slowest files start first, so that no worker is left alone with one of them at the end; the rest keep their usual order.
 * Files that start clusters mostly wait; they are among those that do not.
 */
const LONGEST = [
  ['test/web/page/recorded.test.ts'],
  ['test/attacks/as-user.test.ts'],
  ['test/guide/many-machines.test.ts'],
  ['test/patterns/crash.test.ts', 'test/joined/broken-pairs.test.ts'],
  ['test/review/collision-killed.test.ts', 'test/review/killed.test.ts', 'test/review/variants.test.ts'],
  ['test/web/page/'],
  ['test/clients/', 'test/cluster/', 'test/storm/', 'test/mcp/', 'test/e2e/'],
  ['test/cli/'],
  ['src/host/workers/', 'src/host/embedded/embedded-host-on-postgres.contract.test.ts'],
];

/**
 * These tests leave nothing behind in their process, so they share one per worker: a process for each file would load and
 * compile the same modules again, which costs up to a third of their processor time; tests of the page share a browser, too.
 * The other tests start a program in nearly every test: the more memory a process holds, the longer it takes to start a program.
 */
const SHARED = [
  'src/{actors,app,cli,core,formats,host,journal,lib,protocol,secrets,server,source,telemetry,tools}/**/*.test.ts',
  'test/{conformance,golden,joined,library,patterns,phases,quest,requests,review,simulation,stages,telemetry,workspaces}/**/*.test.ts',
  'test/web/{live,page}/**/*.test.ts',
  'web/**/*.test.ts',
];

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
  // Files that share a process follow one another, the slow ones of the folder test first.
  const isSlow = path.startsWith('test/');
  return LONGEST.length + (project.config.isolate ? 0 : 2) + (isSlow ? 0 : 1);
}

export default defineConfig({
  test: {
    // No limit is an assertion: each lets a machine be busy with other work.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // The built program is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    // More than cores: files wait for clients, browsers, clusters and other programs much of their time.
    maxWorkers: Math.min(8, 2 * availableParallelism() + 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARED],
        },
      },
      { extends: true, test: { name: 'together', include: SHARED, isolate: false } },
    ],
  },
});
