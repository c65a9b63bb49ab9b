import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFailed } from 'vitest';
import type { Served } from '../server/served.ts';
import { CHROMIUM } from './chromium-program.ts';

/** A browser on a busy machine takes its time; nothing here is about how long. */
const PATIENCE_MS = 40_000;

/** What comes to be true. */
export const eventually = { timeout: PATIENCE_MS, interval: 100 };

/** For whole tests. */
export const SLOW = { timeout: 120_000 };

/** A page of a test does not live long enough for compiling its code twice to pay. */
const ARGUMENTS = ['--no-sandbox', '--js-flags=--no-opt,--no-maglev'];

export interface View {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Stays open after its test. */
  readonly lasts?: boolean;
}

export interface Opener {
  /** A person with their own cookies. */
  readonly open: (view?: View) => Promise<BrowserContext>;
}

/** One browser of a kind for all files that this process tests; it ends with the process. */
const browsers = new Map<string, Promise<Browser>>();

function browserOf(program: string): Promise<Browser> {
  const known = browsers.get(program);
  if (known !== undefined) return known;
  const launched = chromium.launch({ executablePath: program, args: ARGUMENTS });
  browsers.set(program, launched);
  return launched;
}

/** A browser for the tests of a file, who share no cookies with those of another one. */
export function useBrowser(program = CHROMIUM): Opener {
  let browser: Browser | null = null;
  const people: BrowserContext[] = [];
  const lasting: BrowserContext[] = [];
  const close = (list: BrowserContext[]) => Promise.all(list.splice(0).map((person) => person.close()));
  beforeAll(async () => {
    if (program !== null) browser = await browserOf(program);
  });
  // A page that stays open goes on looking for its server, which is gone. A failed test takes its picture before this.
  beforeEach(() => close(people));
  afterAll(() => close([...people.splice(0), ...lasting.splice(0)]));
  return {
    open: async (view = {}) => {
      if (browser === null) throw new Error('There is no browser.');
      const options = {
        ...seen(view),
        reducedMotion: 'reduce',
        // A team's server has an untrusted certificate here.
        ignoreHTTPSErrors: true,
      } as const;
      const context = await browser.newContext(options);
      context.setDefaultTimeout(PATIENCE_MS);
      (view.lasts === true ? lasting : people).push(context);
      return context;
    },
  };
}

const seen = ({ theme = 'light', width = 1280, height = 800 }: View) =>
  ({ viewport: { width, height }, colorScheme: theme }) as const;

/** From now on a tab is seen so. */
export async function showAs(page: Page, view: View = {}): Promise<void> {
  const { viewport, colorScheme } = seen(view);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
}

/** A tab at an address; what it logs as an error, and what it asks of any other machine, is kept. */
export async function tab(context: BrowserContext, url: string): Promise<Tab> {
  const page = await context.newPage();
  const errors: string[] = [];
  const outside: string[] = [];
  const { host } = new URL(url);
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    const address = new URL(request.url());
    if (address.protocol.startsWith('http') && address.host !== host) outside.push(request.url());
  });
  onTestFailed(() => keepPicture(page));
  await Promise.all([letIn(page, url), page.goto(url)]);
  return { page, errors, outside };
}

/** Keys that belong together: the page does not wait long for the second one, and a busy browser is slow to take the first. */
export const pressTogether = (page: Page, ...keys: readonly string[]): Promise<unknown> =>
  Promise.all(keys.map((key) => page.keyboard.press(key)));

/** A page's address with the key to it. */
export function entry({ url, token }: Pick<Served, 'url' | 'token'>, path: string): string {
  const address = new URL(path, url);
  address.hash = `t=${token}`;
  return address.href;
}

/** A page is loaded before its token has become a cookie: a test that goes on earlier has no key. */
async function letIn(page: Page, url: string): Promise<void> {
  if (new URL(url).hash.startsWith('#t='))
    await page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/session');
}

/** What was on the page when a test failed says more than what was not. */
export async function keepPicture(page: Page): Promise<void> {
  if (page.isClosed()) return;
  const file = join(mkdtempSync(join(tmpdir(), 'troupe-failed-')), 'page.png');
  await page.screenshot({ path: file });
  console.log(`${page.url()} looked like ${file}`);
}

export interface Tab {
  readonly page: Page;
  readonly errors: readonly string[];
  readonly outside: readonly string[];
}

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules of axe that look at colours: the others find the same in light and in dark. */
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds that keeps people out. */
export async function expectAccessible(page: Page, place = page.url(), rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const found = await page.evaluate(async (only) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the script above put it there
    const { axe } = globalThis as unknown as { axe: Axe };
    // What lies behind a dialog is dimmed on purpose, and cannot be reached.
    const place = document.querySelector('[role="dialog"]') ?? document;
    // No rule that counts here wants style sheets and media loaded once more.
    const options = { resultTypes: ['violations'], preload: false, ...(only === undefined ? {} : { runOnly: only }) };
    const { violations } = await axe.run(place, options);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  }, rules);
  expect(found.map((one) => `${place}: ${one}`)).toEqual([]);
}

/** In light, and then what is seen in dark. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await expectAccessible(page, `${page.url()}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${page.url()}, dark`, COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
}

interface Axe {
  run(place: Node, options: object): Promise<{ violations: readonly Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
