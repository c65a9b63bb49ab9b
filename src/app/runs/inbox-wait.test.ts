import { expect, test } from 'vitest';
import { rootRunId, runId, type RunId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal, RunStatus } from '../../journal/port.ts';
import { untilConsumed } from './inbox-wait.ts';

/** A run with one message in its inbox. */
async function addressed(journal: Journal, name: string, status: RunStatus): Promise<RunId> {
  const run = runId(name);
  const parent = run === rootRunId(run) ? null : rootRunId(run);
  const about = { run, parent, workflow: 'w', project: '.', title: '', at: 1 };
  const outcome = status === 'settled' ? 'ok' : null;
  await journal.create(about, 'owner', { records: [], summary: { status, outcome } });
  await journal.send(run, { id: `to ${name}`, at: 1, body: { kind: 'continue', by: 'ann' } });
  return run;
}

test('[L10] a message to a run that is already over is refused at once, not after half a minute', async () => {
  const journal = createMemoryJournal();
  const over = await addressed(journal, 'over', 'settled');
  await expect(untilConsumed(journal, [over])).rejects.toMatchObject({
    code: 'RUN_SETTLED',
    message: 'Run over ended before it received this.',
  });
});

test('[L10] a run below that is already over does not delay the answer', async () => {
  const journal = createMemoryJournal();
  const over = await addressed(journal, 'root', 'running');
  const below = await addressed(journal, 'below', 'settled');
  const lease = await journal.lease(over, 'owner');
  const waiting = untilConsumed(journal, [over, below]);
  const summary = { status: 'waiting', outcome: null } as const;
  await journal.append(lease, { records: [], summary, consumed: ['to root'] });
  await expect(waiting).resolves.toBe(true);
});

test('[L10] a process that leaves without taking the message keeps its sender waiting no longer', async () => {
  const journal = createMemoryJournal();
  const run = await addressed(journal, 'left', 'running');
  const lease = await journal.lease(run, 'owner');
  const waiting = untilConsumed(journal, [run]);
  await journal.release(lease);
  await expect(waiting).resolves.toBe(false);
});

test('[U8] a unit that a worker drives is waited for, also where no process drives its run', async () => {
  const journal = createMemoryJournal();
  const root = await addressed(journal, 'root', 'running');
  await journal.release(await journal.lease(root, 'owner'));
  const unit = await addressed(journal, 'root/t1', 'running');
  const lease = await journal.lease(unit, 'owner');
  const looked = Promise.withResolvers<void>();
  const inbox = journal.inbox.bind(journal);
  journal.inbox = (run) => inbox(run).finally(looked.resolve);
  const waiting = untilConsumed(journal, [unit]);
  await looked.promise;
  const summary = { status: 'running', outcome: null } as const;
  await journal.append(lease, { records: [], summary, consumed: ['to root/t1'] });
  await expect(waiting).resolves.toBe(true);
});
