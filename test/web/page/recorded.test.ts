import { describe } from 'vitest';
import { accessSuite } from './access.suite.ts';
import { useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { figuresSuite } from './figures.suite.ts';
import { looksSuite } from './looks.suite.ts';
import { pictureSuite } from './picture.suite.ts';
import { useRecordedPages } from './recorded.ts';
import { roomSuite } from './room.suite.ts';
import { runPageSuite } from './run-page.suite.ts';

// Recording the runs costs more than most of these tests, so the suites share one recording.
describe.skipIf(CHROMIUM === null)('pages of recorded runs', () => {
  const pages = useRecordedPages(useBrowser());
  for (const suite of [accessSuite, figuresSuite, looksSuite, pictureSuite, roomSuite, runPageSuite]) suite(pages);
});
