import type { TaskId } from '../../../core/model/ids.ts';
import type { Performance } from '../../world.ts';

/** Longer than any test suite that is run after every step; what hangs must not keep its slot, or the lock of a merge, for ever. */
const COMMAND_MS = 30 * 60_000;

/** How long a command of the engine's own may take: what its state says, which the run keeps to by itself, else half an hour. */
export function commandLimit({ snapshot }: Pick<Performance, 'snapshot'>, task: TaskId): { timeoutMs?: number } {
  const deadline = snapshot.tasks[task]?.deadline ?? null;
  return deadline === null ? { timeoutMs: COMMAND_MS } : {};
}
