import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFaultCode } from '../../src/core/codes/codes.ts';
import { CODE_GROUPS } from './code-texts/code-groups.ts';
import { codesText, jsonText, operationsText } from './reference-text.ts';

const FOLDER = join(import.meta.dirname, '../../docs/reference');

test('[R2] the reference of operations is what their schemas say (update with vitest --update=all)', async () => {
  await expect(operationsText()).toMatchFileSnapshot(join(FOLDER, 'operations.md'));
});

test('[R2] the reference of --json is what the schemas of the commands say', async () => {
  await expect(jsonText()).toMatchFileSnapshot(join(FOLDER, 'json.md'));
});

test('[R2] the reference of codes is what their table says', async () => {
  await expect(codesText()).toMatchFileSnapshot(join(FOLDER, 'codes.md'));
});

const sources = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}', 'assets/workflows/*.yaml'])
  .filter((file) => !/\.test\.tsx?$|contract\.ts$|\/testing\/|^src\/core\/codes\/|^web\/mock\//.test(file))
  .map((file) => readFileSync(file, 'utf8'));

test('[R2] each code stands in one group, and something uses it', () => {
  const codes = Object.values(CODE_GROUPS).flatMap((group) => Object.keys(group));
  expect(codes.length).toBeGreaterThan(300);
  expect(new Set(codes).size).toBe(codes.length);
  const used = new Set(sources.flatMap((text) => text.match(/'[A-Z_]+'/g) ?? []));
  expect(codes.filter((code) => !used.has(`'${code}'`))).toEqual([]);
});

test('[R2] shipped workflows end with codes of the table', () => {
  const codes = sources.flatMap((text) =>
    [...text.matchAll(/(?:problem = |failure: "\()\{\s*code: '([A-Z_]+)'/g)].map(([, code = '']) => code),
  );
  // Only what stands in scripts: the compiler sees the others.
  expect(codes.length).toBeGreaterThan(5);
  expect(codes.filter((code) => !isFaultCode(code))).toEqual([]);
});
