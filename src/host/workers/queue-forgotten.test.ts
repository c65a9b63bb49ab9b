import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runId, type RunId } from '../../core/model/ids.ts';
import { openPostgresJournal } from '../../journal/postgres/postgres-journal.ts';
import type { PostgresJournal } from '../../journal/postgres/shared-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../journal/postgres/testing/test-cluster.ts';
import type { Entries } from './entries.ts';
import { queueForgotten } from './queue-forgotten.ts';

const LATE = Date.UTC(9999, 0, 1);
const [ROOT, CHILD, BELOW, UNIT] = [runId('a'), runId('a/t1'), runId('a/t1/t1'), runId('a/t2')];

describe.skipIf(!hasServer())('forgotten runs', () => {
  let cluster: TestCluster;
  let journal: PostgresJournal;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    journal = await openPostgresJournal({ address: await cluster.database() });
  });
  afterEach(() => journal.close());
  afterAll(() => cluster?.dispose());

  const asleep = async (run: RunId, parent: RunId | null, wakesAt: number, more = {}): Promise<void> => {
    const about = { run, parent, workflow: 'w', project: 'p', title: '', at: 1, ...more };
    const summary = { status: 'running', outcome: null, wakesAt } as const;
    await journal.release(await journal.create(about, 'me', { records: [], summary }));
  };

  const tree = async (): Promise<void> => {
    await asleep(ROOT, null, LATE + 2);
    await asleep(CHILD, ROOT, LATE + 1);
    await asleep(BELOW, CHILD, LATE);
    await asleep(UNIT, ROOT, LATE + 3, { isOffered: true });
  };

  /** One round: the runs that it read, and what it queued. */
  const round = async (open: ReadonlyMap<RunId, { readonly isNap: boolean }>) => {
    const [read, added]: [RunId[], unknown[]] = [[], []];
    const counted = new Proxy(journal, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: readonly RunId[]): unknown => {
          if (name === 'run') read.push(...given);
          return Reflect.apply(value, target, given);
        };
      },
    });
    const entries = {
      open: () => Promise.resolve(open),
      of: () => Promise.resolve([]),
      add: (run: RunId, _lane: unknown, terms: unknown) => Promise.resolve(void added.push([run, terms])),
    };
    await queueForgotten(entries as unknown as Entries, counted);
    return { read, added };
  };

  test('[U8] runs that sleep below another one wake with it, and units by themselves', async () => {
    await tree();
    expect(await journal.undriven()).toEqual([
      { run: ROOT, wakesAt: LATE },
      { run: UNIT, wakesAt: LATE + 3 },
    ]);
    const { added } = await round(new Map());
    expect(added).toEqual([
      [ROOT, { failures: 0, wakesAt: LATE }],
      [UNIT, { failures: 0, wakesAt: LATE + 3 }],
    ]);
  });

  test('[U8] a round reads no run that is queued for the time that it wakes', async () => {
    await tree();
    const open = new Map([ROOT, UNIT].map((run) => [run, { isNap: true }]));
    expect(await round(open)).toEqual({ read: [], added: [] });
    await journal.send(BELOW, { id: 'm', at: 1, body: { kind: 'cancel' } });
    const { added } = await round(open);
    expect(added).toEqual([[ROOT, { failures: 0, wakesAt: undefined }]]);
  });

  test('[U8] runs that a live process drives, or that are below a run which one drives, are not forgotten', async () => {
    await tree();
    await journal.lease(ROOT, 'me');
    expect(await journal.undriven()).toEqual([{ run: UNIT, wakesAt: LATE + 3 }]);
  });
});
