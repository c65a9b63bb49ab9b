import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../testing/test-project.ts';
import { type LookedFolders, quickListing } from './folder-look.ts';
import { RandomChanges } from './testing/random-changes.ts';
import { splitLine, walkListing } from './walk-listing.ts';

const canLook = existsSync('/proc/self/fd');
const leaveOut = (): boolean => false;

function looking(folder: string) {
  const looked: LookedFolders = new Map();
  return {
    looked,
    again: async (): Promise<readonly string[] | null> => (await quickListing(folder, { leaveOut, looked })) ?? null,
  };
}

const sorted = (lines: readonly string[] | null): readonly string[] => [...(lines ?? [])].sort();
const pathsOf = (lines: readonly string[] | null): readonly string[] =>
  sorted(lines).map((line) => splitLine(line).path);

test.runIf(canLook)(
  '[L6] looking again lists what a walk that remembers nothing lists, whatever was changed',
  async () => {
    const folder = temporaryFolder();
    const { again } = looking(folder);
    const changes = new RandomChanges(folder, 11);
    let compared = 0;
    for (let round = 0; round < 150; round += 1) {
      for (let step = 0; step <= round % 6; step += 1) changes.change();
      const lines = await again();
      // A folder closed to its owner is reported in other ways.
      if (lines === null) continue;
      compared += 1;
      expect(sorted(lines)).toEqual(sorted(await walkListing(folder, { leaveOut })));
    }
    expect(compared).toBeGreaterThan(100);
    expect(await again()).not.toBeNull();
  },
);

test.runIf(canLook)('[L6] what comes and goes beside files that stay is seen', async () => {
  const folder = temporaryFolder();
  for (let at = 0; at < 300; at += 1) writeFiles(folder, { [`m${at % 10}/f${at}`]: 'x' });
  const { again } = looking(folder);
  for (let at = 0; at < 30; at += 1) {
    writeFiles(folder, { [`m${at % 10}/new${at}`]: 'x' });
    rmSync(join(folder, `m${at % 10}/f${at}`));
    expect(sorted(await again())).toEqual(sorted(await walkListing(folder, { leaveOut })));
  }
});

test.runIf(canLook)(
  '[P5] a folder that has become a link is not looked into, though all its names lead somewhere',
  async () => {
    const folder = temporaryFolder();
    const outside = temporaryFolder();
    writeFiles(folder, { 'in/deep/a': 'a', 'in/b': 'b', c: 'c' });
    writeFiles(outside, { 'deep/a': 'secret', b: 'secret', more: 'secret' });
    const { again } = looking(folder);
    expect(new Set(pathsOf(await again()))).toEqual(new Set(['in', 'in/deep', 'c', 'in/b', 'in/deep/a']));
    renameSync(join(folder, 'in'), join(folder, 'moved'));
    symlinkSync(outside, join(folder, 'in'));
    expect(new Set(pathsOf(await again()))).toEqual(
      new Set(['in', 'c', 'moved', 'moved/b', 'moved/deep', 'moved/deep/a']),
    );
  },
);

test.runIf(canLook)('[L6] names that are no text are looked at like all others', async () => {
  const folder = temporaryFolder();
  const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe, 0x0a])]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from('/'), Buffer.from([0xe9])]), 'x');
  writeFiles(folder, { 'Übung/ö': 'u' });
  const { again } = looking(folder);
  for (let round = 0; round < 3; round += 1) {
    expect(sorted(await again())).toEqual(sorted(await walkListing(folder, { leaveOut })));
  }
  expect(await again()).toHaveLength(4);
});

test.runIf(canLook)('[L6] folders that are gone are forgotten, and those left out are not looked into', async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { 'a/b/c': 'c', 'd/e': 'e' });
  const { again, looked } = looking(folder);
  await again();
  expect([...looked.keys()].toSorted()).toEqual(['', 'a', 'a/b', 'd']);
  rmSync(join(folder, 'a'), { recursive: true });
  const lines = await quickListing(folder, { leaveOut: (path) => path === 'd', looked });
  expect(pathsOf(lines)).toEqual(['d']);
  expect([...looked.keys()]).toEqual(['']);
});
