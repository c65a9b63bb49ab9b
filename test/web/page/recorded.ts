import { afterAll, beforeAll } from 'vitest';
import type { Sandbox } from '../../cli/sandbox.ts';
import { serve, type Served } from '../server/served.ts';
import { CHROMIUM } from './chromium-program.ts';
import { demoProject, playDemo } from './demo.ts';

/** Runs that are over, for all tests of a file to look at; none of them may change them. */
export interface Recorded {
  readonly sandbox: Sandbox;
  readonly served: Served;
  /** The demo's. */
  readonly review: string;
  /** Phases that left artifacts. */
  readonly feature: string;
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
