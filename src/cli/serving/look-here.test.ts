import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { performCommand } from '../program.ts';
import { lookHere } from './look-here.ts';

const home = mkdtempSync(join(tmpdir(), 'troupe-look-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const look = (...words: readonly string[]) =>
  lookHere(words, {
    environment: { HOME: home, TROUPE_HOME: home },
    folder: home,
    perform: (given, terminal) => performCommand(given, { terminal, version: '0.0.0' }),
  });

test('[U2] a command that looks is run here, and what it prints is read', async () => {
  expect(await look('list')).toEqual([]);
  expect(await look('workflows')).toEqual(expect.arrayContaining([expect.objectContaining({ origin: 'shipped' })]));
});

test('[U2] its faults are faults, also those of the parser', async () => {
  await expect(look('show', '--', 'none')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  await expect(look('show', '--', '--help')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  await expect(look('show', '--nonsense', 'x')).rejects.toMatchObject({ code: 'USAGE' });
  await expect(look('show')).rejects.toMatchObject({ code: 'USAGE', hint: 'See: troupe show --help' });
});
