import { expect } from 'vitest';
import type { RunId } from '../../../src/core/model/ids.ts';
import type { PostgresJournal } from '../../../src/journal/postgres/shared-journal.ts';
import { createSandbox, type Running, type Sandbox } from '../../cli/sandbox.ts';

/** A separate machine: its own home and the settings of its user, and nothing of any project. */
export function machineWith(settings = ''): Sandbox {
  const machine = createSandbox();
  if (settings !== '') machine.write('../home/.config/troupe/config.yaml', settings);
  return machine;
}

/** `troupe worker` on a machine, once it takes runs. */
export async function startWorker(
  machine: Sandbox,
  environment: Readonly<Record<string, string>>,
  words: readonly string[] = ['--slots', '2'],
): Promise<Running> {
  const worker = machine.start(['worker', '--json', ...words], { environment });
  const first = (await worker.lines.next()).value as string | undefined;
  expect(first ?? (await worker.ended).stderr).toContain('worker.started');
  return worker;
}

/** As a person or a service manager does it. */
export async function stopWorkers(workers: readonly Running[]): Promise<void> {
  for (const { child } of workers) child.kill('SIGTERM');
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  expect(ends.map(({ code }) => code)).toEqual(workers.map(() => 0));
}

/** What a process has written to standard error until now. */
export function noted({ child }: Running): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

/** The processes that drove each run of a tree, in the order in which they took it up. */
export async function driversOf(journal: PostgresJournal, root: RunId): Promise<Map<RunId, number[]>> {
  const drivers = new Map<RunId, number[]>();
  for (const { run, fact } of await journal.tree(root)) {
    if (fact.kind !== 'run.resumed') continue;
    drivers.set(run, [...(drivers.get(run) ?? []), Number(fact.worker?.split('/').at(-1))]);
  }
  return drivers;
}
