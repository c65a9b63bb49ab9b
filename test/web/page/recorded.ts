import { afterAll, beforeAll } from 'vitest';
import type { Sandbox } from '../../cli/sandbox.ts';
import { serve, type Served } from '../server/served.ts';
import type { Opener } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { demoProject, playDemo } from './demo.ts';

/** Finished runs that several suites look at and none of them changes. */
export interface Recorded {
  readonly sandbox: Sandbox;
  readonly served: Served;
  /** The demo's. */
  readonly review: string;
  /** Phases that left artifacts. */
  readonly feature: string;
}

/** A browser and recorded runs, for suites that only look at pages. */
export interface RecordedPages extends Opener {
  readonly recorded: () => Recorded;
}

export function useRecorded(): () => Recorded {
  let recorded: Recorded | null = null;
  beforeAll(async () => {
    if (CHROMIUM === null) return;
    const sandbox = demoProject({ lasts: true });
    const review = await playDemo(sandbox);
    const words = ['run', 'feature', '--input', 'user_request=Greet people', '--json'];
    const { stdout } = await sandbox.troupe(words);
    const { run } = JSON.parse(stdout.split('\n')[0] ?? '{}') as { readonly run: string };
    recorded = { sandbox, review, feature: run, served: await serve(sandbox) };
  }, 120_000);
  afterAll(() => recorded?.sandbox.close());
  return () => {
    if (recorded === null) throw new Error('Nothing was recorded.');
    return recorded;
  };
}
