import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { TreeId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';
import { commandFailure } from '../../tools/shell.ts';
import type { MergeOutcome } from './merge-outcome.ts';
import type { RunResult } from './run-result.ts';

/** Its own for each check: another one of the same run may be under way, in this process or another. */
const newPlace = (): string => `merge.check.${randomUUID().slice(0, 8)}`;

/** A check that hangs would keep the result from the user for ever. */
const LONGEST_MS = 30 * 60_000;

interface Check {
  readonly tree: TreeId;
  readonly command: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** Runs the user's command where the merged files are and nothing else is, in the sandbox; null when it succeeded. */
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
    // Only a red one is looked at later.
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

/** Null when it did not come to its end because somebody stopped it. */
async function unlessStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    return null;
  }
}
