import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { costSoFar, noteCost } from './acp-session.ts';

const root = mkdtempSync(join(tmpdir(), 'conversation-cost-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = (): string => mkdtempSync(join(root, 'f-'));

test('[A3] the last figure of each conversation is kept, whatever it is called', async () => {
  const home = newFolder();
  await noteCost(home, '../../a', 0.5);
  await noteCost(home, '../../a', 0.75);
  await noteCost(home, 'b', 2);
  expect(await costSoFar(home, '../../a')).toBe(0.75);
  expect(await costSoFar(home, 'b')).toBe(2);
  expect(await costSoFar(home, 'c')).toBeNull();
  expect(await costSoFar(join(home, 'nowhere'), 'b')).toBeNull();
});

test('[L8] nothing of it is where the agent can write', async () => {
  const home = newFolder();
  await noteCost(home, 'a', 1);
  expect(readdirSync(home)).toEqual([]);
});
