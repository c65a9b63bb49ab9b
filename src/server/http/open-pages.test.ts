import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownIdentity } from '../../lib/process-identity.ts';
import { notePage, openPages } from './open-pages.ts';

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'troupe-pages-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

test('[U9] a page that is open is found, for its user alone, until it is closed', () => {
  const home = newHome();
  expect(openPages(home)).toEqual([]);
  const close = notePage(home, 'http://127.0.0.1:4321');
  expect(openPages(home)).toMatchObject([{ origin: 'http://127.0.0.1:4321' }]);
  const [file = ''] = readdirSync(join(home, 'pages'));
  expect(statSync(join(home, 'pages', file)).mode & 0o077).toBe(0);
  close();
  expect(openPages(home)).toEqual([]);
});

test('[U9] a note of a process that is gone, or that is none, counts for nothing', () => {
  const home = newHome();
  notePage(home, 'http://127.0.0.1:1');
  const write = (name: string, text: string): void => writeFileSync(join(home, 'pages', name), text);
  const gone = { ...ownIdentity(), startedAt: '1', bootId: 'another' };
  write('gone.json', JSON.stringify({ origin: 'http://127.0.0.1:2', since: Date.now() + 1, process: gone }));
  write('half.json', '{"origin":');
  write('odd.json', 'null');
  expect(openPages(home).map(({ origin }) => origin)).toEqual(['http://127.0.0.1:1']);
});
