import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pageSize } from '../../../bench/harness/page-size.ts';

const PAGE = fileURLToPath(new URL('../../../dist/web', import.meta.url));

test('[U2] a browser loads at most 350 kB of JavaScript before the parts that are loaded when wanted', () => {
  const { files, gzipBytes } = pageSize(PAGE);
  expect(files).toBeGreaterThan(0);
  expect(gzipBytes).toBeLessThan(350_000);
});
