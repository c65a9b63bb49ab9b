import type { TaskId } from '../../../core/model/ids.ts';
import type { EffectContext } from '../../world.ts';

/** Longer than any test suite that runs after every step; a hanging command must not keep its slot, or the lock of a merge, forever. */
const COMMAND_MS = 30 * 60_000;

/** How long an engine command may take: the limit of its state, which the run enforces itself, else half an hour. */
export function commandLimit({ snapshot }: Pick<EffectContext, 'snapshot'>, task: TaskId): { timeoutMs?: number } {
  const deadline = snapshot.tasks[task]?.deadline ?? null;
  return deadline === null ? { timeoutMs: COMMAND_MS } : {};
}
