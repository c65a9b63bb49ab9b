import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findSandbox, readFound, writeFound } from './find-sandbox.ts';
import type { FoundSandboxes } from './found-level.ts';
import { knownSandbox } from './testing/known-sandbox.ts';

function newPlace() {
  const place = mkdtempSync(join(tmpdir(), 'found-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  return { scratch: join(place, 'scratch'), cacheFile: join(place, 'deep', 'found.json') };
}

type Kept = { key: string; found: FoundSandboxes };
const kept = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Kept;

/** Keeps an answer that no test would give, to see whether it is taken. */
function forge(file: string, change: (kept: Kept) => unknown): void {
  const before = kept(file);
  const levels = before.found.levels.map((level) => ({ ...level, gaps: ['forged'] }));
  writeFileSync(file, JSON.stringify(change({ ...before, found: { ...before.found, levels } })));
}

const isForged = (found: FoundSandboxes): boolean => found.levels.every(({ gaps }) => gaps.includes('forged'));

test('[P12] all levels are tested, the strongest first, and each lists what it does not cover', async () => {
  const { levels } = await findSandbox(newPlace());
  expect(levels.map(({ level }) => level)).toEqual(['bubblewrap', 'landlock', 'none']);
  expect(levels.at(-1)).toMatchObject({ failures: [], hasOverlay: false });
  const open = levels.filter(
    ({ failures, gaps }) => failures.length === 0 && gaps.includes('files that are not lent can be read'),
  );
  expect(open.map(({ level }) => level)).toContain('none');
  expect(open.map(({ level }) => level)).not.toContain('bubblewrap');
});

test('[P12] the findings are kept for the user alone and used the next time, but not on demand', async (context) => {
  const place = newPlace();
  const found = await findSandbox(place);
  expect(statSync(place.cacheFile).mode & 0o777).toBe(0o600);
  context.skip(found.levels[0]?.failures.length !== 0, 'bubblewrap does not work here');
  forge(place.cacheFile, (same) => same);
  expect(isForged(await findSandbox(place))).toBe(true);
  expect(isForged(await findSandbox({ ...place, fresh: true }))).toBe(false);
});

test('[P12] a refusal of the kernel is not kept, since it can be lifted at any moment', async () => {
  const { scratch, cacheFile } = await keptPlace();
  forge(cacheFile, ({ key, found }) => {
    const levels = found.levels.map((level) => ({ ...level, program: '/usr/bin/bwrap', failures: ['refused'] }));
    return { key, found: { ...found, levels } };
  });
  expect(readFound(cacheFile, scratch)).toBeNull();
});

test('[P12] a damaged, foreign or older file counts as none', async () => {
  const { scratch, cacheFile } = await keptPlace();
  expect(readFound(cacheFile, scratch)).not.toBeNull();
  const changes: readonly ((kept: Kept) => unknown)[] = [
    ({ found }) => ({ found }),
    ({ found, key }) => ({ found, key: key.replace(/^\[\d+/, '[0') }),
    ({ key }) => ({ key, found: { levels: [{}] } }),
    ({ key }) => ({ key, found: null }),
    () => null,
  ];
  for (const change of changes) {
    writeFound(cacheFile, await knownSandbox(scratch));
    forge(cacheFile, change);
    expect(readFound(cacheFile, scratch)).toBeNull();
  }
  writeFileSync(cacheFile, '{"key": "x", "fou');
  expect(readFound(cacheFile, scratch)).toBeNull();
});

test('[P12] a file that cannot be written is no reason to stop', () => {
  const { scratch } = newPlace();
  expect(() => writeFound('/proc/nowhere/found.json', { levels: [], scratch })).not.toThrow();
});

/** A place where something was found before, without another test of this machine. */
async function keptPlace() {
  const place = newPlace();
  writeFound(place.cacheFile, await knownSandbox(place.scratch));
  return place;
}
