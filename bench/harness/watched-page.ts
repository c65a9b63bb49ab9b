import { readFileSync } from 'node:fs';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { CHROMIUM } from '../../test/web/page/chromium-program.ts';

const WATCH = readFileSync(new URL('../page/watch-paints.mjs', import.meta.url), 'utf8');
const PATIENCE_MS = 60_000;

/** What the page told: `heading` and `node` once, when the first was painted; `heard` and `update` whenever there is news. */
export interface Note {
  readonly what: 'heading' | 'node' | 'heard' | 'update';
  readonly text?: string;
  /** By the clock on the wall. */
  readonly at: number;
  /** Since the page was asked for. */
  readonly ms: number;
}

export interface SlowNetwork {
  readonly kbitPerSecond: number;
  readonly latencyMs: number;
}

export const hasBrowser = (): boolean => CHROMIUM !== null;

export async function openBrowser(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error('There is no Chromium here.');
  return await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** A page in a context of its own, with nothing cached, that tells what it painted. */
export class WatchedPage {
  readonly page: Page;
  readonly notes: Note[] = [];
  readonly #session: CDPSession;
  #news: () => void = () => undefined;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  static async in(browser: Browser): Promise<WatchedPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.addInitScript({ content: WATCH });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const watched = new WatchedPage(page, session);
    session.on('Runtime.bindingCalled', ({ payload }) => {
      watched.notes.push(JSON.parse(payload) as Note);
      watched.#news();
    });
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: 'tellBench' });
    // The processor's time, which other programs disturb least.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return watched;
  }

  async until(isThere: (notes: readonly Note[]) => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new Error(`The page told only ${JSON.stringify(this.notes)}.`)), PATIENCE_MS);
    this.#news = () => isThere(this.notes) && resolve();
    this.#news();
    await promise.finally(() => clearTimeout(timer));
  }

  /** What its main thread has computed since it was asked for, in milliseconds. */
  async cpuMs(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  }

  /** As over a telephone in a train. */
  async slowDown({ kbitPerSecond, latencyMs }: SlowNetwork): Promise<void> {
    const throughput = (kbitPerSecond * 1000) / 8;
    const limits = { offline: false, latency: latencyMs, downloadThroughput: throughput, uploadThroughput: throughput };
    await this.#session.send('Network.enable');
    await this.#session.send('Network.emulateNetworkConditions', limits);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
