import { report, settings } from '../harness/report.ts';
import { openBrowser, WatchedPage, type Note } from '../harness/watched-page.ts';

/** Looks at a page that hears of something over and over, until so much of it was painted: all that it told, and the processor's time. */
const { url, ready, updates } = settings() as { url: string; ready: Note['what']; updates: number };

const browser = await openBrowser();
const watched = await WatchedPage.in(browser);
await watched.page.goto(url, { waitUntil: 'commit' });
await watched.until((notes) => notes.some(({ what }) => what === ready));
// As much of it in sight as can be.
if (ready === 'node') await watched.page.getByRole('button', { name: /^Whole graph/ }).click();
await watched.page.waitForTimeout(2000);
watched.notes.length = 0;
const before = await watched.cpuMs();
await watched.until((notes) => notes.filter(({ what }) => what === 'update').length >= updates);
const cpuMs = (await watched.cpuMs()) - before;
report({ notes: watched.notes, cpuMs: cpuMs / updates });
await browser.close();
