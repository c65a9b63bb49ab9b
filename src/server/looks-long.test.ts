import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runId } from '../core/model/ids.ts';
import { KnownSecrets } from '../secrets/known-secrets.ts';
import { createMemoryJournal } from '../journal/memory/memory-journal.ts';
import type { Journal } from '../journal/port.ts';
import { sampleBatch } from '../journal/sqlite/testing/sample.ts';
import type { Operations } from './operations.ts';
import { createOperations } from './create-operations.ts';

let folder: string;
let journal: Journal;
let operations: Operations;

/** Tells what it was started with; what it is to refuse is an error. */
const PROGRAM = `
  const { view } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  console.log(JSON.stringify({ apart: view }));
  if (view.why) {
    console.error(JSON.stringify({ kind: 'error', code: 'RUN_UNKNOWN', message: 'No.', problems: [], hint: 'Ask.' }));
    process.exitCode = 2;
  }
`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-look-'));
  const entry = join(folder, 'program.cjs');
  writeFileSync(entry, PROGRAM);
  journal = createMemoryJournal();
  const secrets = new KnownSecrets();
  operations = createOperations({
    store: { home: folder, journal, secrets },
    entry,
    caller: { environment: process.env, folder, secrets },
    tell: () => undefined,
    version: '0',
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function write(run: string, count: number): Promise<void> {
  const parent = run.includes('/') ? runId(run.slice(0, run.lastIndexOf('/'))) : null;
  const about = { run: runId(run), parent, workflow: 'w', project: '/p', title: '', at: 1 };
  await journal.create(about, 'me', sampleBatch(run, 1, count));
}

test('[W9] a look at a short run is done in this process', async () => {
  await write('a', 5000);
  expect(await operations.look({ kind: 'branches', run: 'a' })).toMatchObject({ kind: 'branches', run: 'a' });
  await expect(operations.look({ kind: 'show', run: 'none' })).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
});

test('[W9] a look at a long run, or at one of a large tree, runs in a separate process and holds up no other request', async () => {
  await write('a', 1);
  await write('a/t1', 6000);
  await write('a/t2', 6000);
  const view = { kind: 'show', run: 'a/t1' } as const;
  expect(await operations.look(view)).toEqual({ apart: view });
  await expect(operations.look({ kind: 'artifacts', run: 'a', why: true })).rejects.toMatchObject({
    code: 'RUN_UNKNOWN',
    hint: 'Ask.',
  });
});
