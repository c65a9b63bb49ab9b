import type { Effect } from '../../core/effect.ts';
import type { Unbegun } from '../../core/files-fact.ts';
import type { Hold } from '../../core/snapshot.ts';

/** How the journal names an effect that had not begun; null for effects that do not tell when they begin. */
export function unbegunOf(effect: Effect): Unbegun | null {
  if (effect.kind === 'command.run') return { task: effect.task };
  return effect.kind === 'tool.run' ? { task: effect.task, toolCall: effect.toolCall.id } : null;
}

/** Whether the journal says that nothing of this effect has happened, although it was announced. */
export function isUnbegun(effect: Effect, held: Hold | null): boolean {
  const own = unbegunOf(effect);
  if (own === null) return false;
  return (held?.unbegun ?? []).some(({ task, toolCall }) => task === own.task && toolCall === own.toolCall);
}
