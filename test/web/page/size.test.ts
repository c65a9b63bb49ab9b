import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pageSize } from '../../../bench/harness/page-size.ts';

const PAGE = fileURLToPath(new URL('../../../dist/web', import.meta.url));

test('[U2] a browser loads at most 250 kB of JavaScript before the parts that are loaded when wanted', () => {
  const { files, sentBytes } = pageSize(PAGE);
  expect(files).toBeGreaterThan(0);
  expect(sentBytes).toBeLessThan(250_000);
});
