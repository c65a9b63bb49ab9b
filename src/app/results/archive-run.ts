import type { RunArchived } from '../../core/delivery-fact.ts';
import { Fault } from '../../core/fault.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Session } from '../runs/session.ts';
import { refuseOpen } from './refuse-open.ts';

/** Hides a run from lists and the board, or shows it there again. Nothing of it is removed. */
export async function archiveRun(
  { host, by }: Session,
  info: RunInfo,
  { isUndone = false }: { readonly isUndone?: boolean } = {},
): Promise<RunArchived & { readonly run: string }> {
  const { run, isArchived = false } = info;
  refuseOpen(info);
  if (isArchived !== isUndone)
    throw new Fault(
      isArchived ? 'RUN_ARCHIVED' : 'RUN_NOT_ARCHIVED',
      `Run ${run} is ${isArchived ? 'archived already' : 'not archived'}.`,
      { hint: isArchived ? `Show it in lists again: troupe archive ${run} --undo` : 'Lists show it: troupe list' },
    );
  const fact: RunArchived = { kind: 'run.archived', by, ...(isUndone ? { isUndone: true } : {}) };
  await host.note(run, fact);
  return { run, ...fact };
}
