import type { Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFailed } from 'vitest';
import type { Sandbox } from '../../cli/sandbox.ts';
import { serve, type Served } from '../server/served.ts';
import { keepPicture, showAs, tab, type Opener, type View } from './browser.ts';
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
  /** The tab of one person who looks at one place after the other, as if each were the first. */
  readonly lookAt: (path: string, view?: View) => Promise<Page>;
}

export function useRecordedPages({ open }: Opener): RecordedPages {
  const recorded = useRecorded();
  let looking: Promise<Page> | null = null;
  const lookAt = async (path: string, view?: View): Promise<Page> => {
    const { served } = recorded();
    looking ??= open({ lasts: true }).then(async (person) => (await tab(person, served.url)).page);
    const page = await looking;
    onTestFailed(() => keepPicture(page));
    // What the page keeps is forgotten where the page itself does not run.
    await page.goto(new URL('/favicon.svg', served.url).href);
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    await showAs(page, view);
    await page.goto(new URL(path, served.url).href);
    return page;
  };
  return { open, recorded, lookAt };
}

function useRecorded(): () => Recorded {
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
