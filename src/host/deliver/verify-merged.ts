import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { TreeId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';
import { commandFailure } from '../../tools/shell.ts';
import type { MergeOutcome } from './merge-outcome.ts';
import type { RunResult } from './run-result.ts';

/** A new one for each check: another check of the same run may be in progress, in this process or another. */
const newPlace = (): string => `merge.check.${randomUUID().slice(0, 8)}`;

/** A check that hangs would withhold the result forever. */
const LONGEST_MS = 30 * 60_000;

interface Check {
  readonly tree: TreeId;
  readonly command: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** Runs the user's command in the sandbox, in a folder with only the merged files; null when it succeeded. */
export async function verifyMerged(
  { world }: { readonly world: Pick<World, 'workspaces' | 'shell'> },
  { run, project, began }: Pick<RunResult, 'run' | 'project' | 'began'>,
  { tree, command, signal, timeoutMs = LONGEST_MS }: Check,
): Promise<Extract<MergeOutcome, { readonly kind: 'result.not-verified' }> | null> {
  const refused = { kind: 'result.not-verified', run, command } as const;
  const name = newPlace();
  const place = await unlessStopped(signal, () =>
    world.workspaces.open({ root: run, name, project, tree, began, signal }),
  );
  if (place === null) {
    const folder = world.workspaces.folderOf(run, name);
    return { ...refused, folder, exitCode: null, reason: 'It was stopped before it began.', output: '' };
  }
  const result = await world.shell(command, { place, access: 'write', network: false, signal, timeoutMs });
  const failure = commandFailure(result);
  if (failure === null) {
    // Only the folder of a failed check is inspected later.
    await rm(place.folder, { recursive: true, force: true });
    return null;
  }
  const { exitCode, output } = result;
  return {
    ...refused,
    folder: place.folder,
    exitCode,
    reason: exitCode === null ? failure.message : `It ended with ${exitCode}.`,
    output,
  };
}

/** Null if it was stopped before it ended. */
async function unlessStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    return null;
  }
}
