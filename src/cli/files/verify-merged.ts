import type { TreeId } from '../../core/ids.ts';
import { commandFailure } from '../../tools/shell.ts';
import type { Driving } from '../session/driving.ts';
import type { MergeOutcome } from './merge-outcome.ts';
import type { RunResult } from './run-result.ts';

/** Not the one that a workflow's own merges are checked in: that one may be in use. */
const PLACE = 'merge.check';

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
  { world }: Driving,
  { run, project, began }: RunResult,
  { tree, command, signal, timeoutMs = LONGEST_MS }: Check,
): Promise<Extract<MergeOutcome, { readonly kind: 'merge.not-verified' }> | null> {
  const place = await world.workspaces.open({ root: run, name: PLACE, project, tree, began, signal });
  const result = await world.shell(command, { place, access: 'write', network: false, signal, timeoutMs });
  const failure = commandFailure(result);
  if (failure === null && result.exitCode === 0) return null;
  const { exitCode, output } = result;
  const reason = failure?.message ?? `It ended with ${exitCode}.`;
  return { kind: 'merge.not-verified', run, command, exitCode, reason, output, folder: place.folder };
}
