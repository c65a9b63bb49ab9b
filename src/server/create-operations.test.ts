import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Operations } from './operations.ts';
import type { TurnstileOptions } from './bounded-turnstile.ts';
import type { OpenStore } from '../app/world/store.ts';
import type { Journal } from '../journal/port.ts';
import { KnownSecrets } from '../secrets/known-secrets.ts';
import { createMemoryJournal } from '../journal/memory/memory-journal.ts';
import { openPostgresJournal } from '../journal/postgres/postgres-journal.ts';
import { hasServer, startCluster } from '../journal/postgres/testing/test-cluster.ts';
import { sampleBatch, sampleRun } from '../journal/sqlite/testing/sample.ts';
import { createOperations } from './create-operations.ts';

function operationsOf(
  program: string,
  { acts, ...given }: Partial<Pick<OpenStore, 'journal' | 'shared'>> & { readonly acts?: TurnstileOptions } = {},
): { readonly operations: Operations; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-acts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const entry = join(folder, 'program.mjs');
  writeFileSync(entry, program);
  const operations = createOperations({
    store: { home: folder, journal: createMemoryJournal(), secrets: new KnownSecrets(), ...given },
    caller: { environment: { PATH: process.env['PATH'] }, folder, secrets: new KnownSecrets() },
    tell: () => undefined,
    version: '0',
    entry,
    ...(acts === undefined ? {} : { acts }),
  });
  return { operations, folder };
}

test('[W15] only so many acts are done at once: the next wait, and what comes then is refused and not done', async () => {
  const memory = createMemoryJournal();
  const gate = Promise.withResolvers<undefined>();
  const looked: string[] = [];
  const journal: Journal = {
    ...memory,
    run: (run) => {
      looked.push(run);
      return gate.promise;
    },
    runs: () => Promise.resolve([]),
  };
  const { operations, folder } = operationsOf('', { acts: { atOnce: 1, waiting: 1 }, journal });
  const pause = (run: string) => operations.act({ kind: 'pause', run }, { by: 'ada', via: 'page', folder });
  const both = Promise.allSettled([pause('a'), pause('b')]);
  await expect(pause('c')).rejects.toMatchObject({ code: 'SERVER_BUSY' });
  gate.resolve(undefined);
  expect((await both).map((one) => one.status === 'rejected' && (one.reason as { code: string }).code)).toEqual([
    'RUN_UNKNOWN',
    'RUN_UNKNOWN',
  ]);
  expect(looked).toEqual(['a', 'b']);
});

test.skipIf(!hasServer())(
  '[U8] workers are listed without a look at each run that they drive',
  { timeout: 60_000 },
  async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.dispose());
    const shared = await openPostgresJournal({ address: await cluster.database() });
    onTestFinished(() => shared.close());
    await shared.register({ slots: 2, offers: ['label gpu'] });
    await shared.create(sampleRun('a'), 'host', sampleBatch('a', 1, 1));
    const looked: string[] = [];
    const run: Journal['run'] = (named) => {
      looked.push(named);
      return shared.run(named);
    };
    const { operations } = operationsOf('', { shared, journal: { ...createMemoryJournal(), run } });
    expect(await operations.workers?.()).toMatchObject([{ offers: ['label gpu'], isAlive: true, runs: ['a'] }]);
    expect(looked).toEqual([]);
  },
);

/** Says who it is, and then more than anybody takes. */
const ENDLESS = `
process.stdout.write(process.pid + ' ');
const more = () => process.stdout.write('x'.repeat(65536), more);
more();
`;

test('[W8] what is poured comes as it is written, and its process ends with who takes it', async () => {
  const { operations } = operationsOf(ENDLESS);
  let pid = 0;
  for await (const piece of operations.pour({ kind: 'artifact', run: 'r', artifact: 'a' })) {
    pid = Number.parseInt(Buffer.from(piece).toString('latin1'), 10);
    break;
  }
  const isThere = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isThere, { timeout: 30_000 }).toBe(false);
});

test('[W8] a command that fails in the middle is no end of what it writes', async () => {
  const { operations } = operationsOf("process.stdout.write('half of'); process.exitCode = 2;");
  let text = '';
  const reading = (async () => {
    for await (const piece of operations.pour({ kind: 'artifact', run: 'r', artifact: 'a' }))
      text += Buffer.from(piece).toString();
  })();
  await expect(reading).rejects.toMatchObject({ code: 'INTERNAL', message: 'Looking at artifact ended with 2.' });
  expect(text).toBe('half of');
});
