import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { Drives } from './drives.ts';

const A = runId('a');
const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** Drives of runs that have nothing to do here, so that their entries end at once. */
async function idleDrives({ isHeld }: { readonly isHeld: boolean }) {
  const journal = createMemoryJournal();
  const lease = await journal.create({ run: A, parent: null, workflow: 'w', project: '/p', title: '', at: 1 }, 'me');
  if (!isHeld) await journal.release(lease);
  const said: string[] = [];
  const drives = new Drives({
    journal,
    onAtWork: () => undefined,
    tell: () => undefined,
    onLateFailure: () => Promise.resolve(),
    drive: async (run, { signal, onIdle }) => {
      said.push(`took ${run}`);
      onIdle(true);
      await ended(signal);
      said.push(`left ${run}`);
    },
  });
  return { drives, said };
}

test('[U8] the entry of a run that waits here, and whose lease is lost, drives it again', async () => {
  const { drives, said } = await idleDrives({ isHeld: false });
  expect(await drives.drive(A, 0)).toEqual({ failures: 0, reason: null });
  expect(await drives.drive(A, 0)).toEqual({ failures: 0, reason: null });
  expect(said).toEqual(['took a', 'left a', 'took a']);
  await drives.stop();
});

test('[U8] the entry of a run that waits here, and is held, is over at once', async () => {
  const { drives, said } = await idleDrives({ isHeld: true });
  await drives.drive(A, 0);
  await drives.drive(A, 0);
  expect(said).toEqual(['took a']);
  expect(await drives.stop()).toEqual([A]);
});

test('[U8] a run that has a message which no one here understands is tried again later, and each time the worker says why', async () => {
  const journal = createMemoryJournal();
  const about = { run: A, parent: null, workflow: 'w', project: '/p', title: '', at: 1 };
  await journal.release(
    await journal.create(about, 'me', { records: [], summary: { status: 'waiting', outcome: null } }),
  );
  await journal.send(A, { id: 'm1', at: 1, body: { kind: 'promote' } });
  const notices: string[] = [];
  const drives = new Drives({
    journal,
    tell: (sentence) => notices.push(sentence),
    onAtWork: () => undefined,
    onLateFailure: () => Promise.resolve(),
    drive: () => Promise.resolve(),
  });
  const reason = expect.stringContaining('does not understand message m1 to it (kind: "promote")');
  expect(await drives.drive(A, 4)).toEqual({ failures: 5, reason });
  expect(notices).toEqual([expect.stringMatching(/^Run a is not driven here: .*kind: "promote"/)]);
  await drives.stop();
});

test('[U8] a message that comes while a run is left is no failure, unless the run leaves it there', async () => {
  const journal = createMemoryJournal();
  const about = { run: A, parent: null, workflow: 'w', project: '/p', title: '', at: 1 };
  const summary = { status: 'running', outcome: null, wakesAt: 9e15 } as const;
  await journal.release(await journal.create(about, 'me', { records: [], summary }));
  const body = { kind: 'cancel', by: 'ann', reason: 'enough' };
  const notices: string[] = [];
  const drives = new Drives({
    journal,
    tell: (sentence) => notices.push(sentence),
    onAtWork: () => undefined,
    onLateFailure: () => Promise.resolve(),
    drive: () => journal.send(A, { id: 'm1', at: 1, body }),
  });
  expect(await drives.drive(A, 0)).toEqual({ failures: 0, reason: null });
  expect(notices).toEqual([]);
  expect(await drives.drive(A, 0)).toEqual({ failures: 1, reason: expect.stringContaining('what it waits for') });
  await drives.stop();
});
