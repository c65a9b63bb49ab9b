import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeStaleGates } from './gate.ts';

test('what a killed engine left is removed, and nothing that is used, young or somebody else’s', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'stale-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  for (const name of ['troupe-gate-dead', 'troupe-gate-live', 'other']) mkdirSync(join(parent, name));
  const script = `require('node:net').createServer().listen(process.argv[1], () => console.log('up'))`;
  const engine = spawn(process.execPath, ['-e', script, join(parent, 'troupe-gate-dead/0')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(engine.stdout, 'data');
  engine.kill('SIGKILL');
  await once(engine, 'exit');
  const server = createServer().listen(join(parent, 'troupe-gate-live/0'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await removeStaleGates(parent);
  expect(readdirSync(parent)).toEqual(['other', 'troupe-gate-dead', 'troupe-gate-live']);
  await removeStaleGates(parent, Date.now() + 100_000);
  expect(readdirSync(parent)).toEqual(['other', 'troupe-gate-live']);
});
