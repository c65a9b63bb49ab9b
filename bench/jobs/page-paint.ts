import { report, settings } from '../harness/report.ts';
import { openBrowser, WatchedPage, type Note, type SlowNetwork } from '../harness/watched-page.ts';

/** Opens a page as somebody does who never saw it before, until this was painted: when, and what it took of the processor. */
const { url, until, network } = settings() as { url: string; until: Note['what']; network?: SlowNetwork };

const browser = await openBrowser();
const watched = await WatchedPage.in(browser);
if (network !== undefined) await watched.slowDown(network);
await watched.page.goto(url, { waitUntil: 'commit' });
await watched.until((notes) => notes.some(({ what }) => what === until));
const cpuMs = await watched.cpuMs();
const msOf = (wanted: Note['what']): number => watched.notes.find(({ what }) => what === wanted)?.ms ?? Number.NaN;
report({ headingMs: msOf('heading'), drawnMs: msOf(until), cpuMs });
await browser.close();
