import { leftOf } from './context.ts';
import type { Draft } from './draft.ts';
import type { Context } from './snapshot.ts';
import type { TurnProgress } from './turn-state.ts';

/** How facts change contexts, and what turns in progress see of them. */

export function changeContext(now: Draft, name: string, change: (context: Context) => Context): void {
  const context = now.contexts[name];
  if (context !== undefined) now.contexts = { ...now.contexts, [name]: change(context) };
}

/** Turns in progress see fewer messages by as many as are removed from those they saw. */
export function shiftTurns(now: Draft, name: string, dropped: number): void {
  const context = now.contexts[name];
  if (context === undefined) return;
  for (const task of Object.values(now.tasks)) {
    if (task.turn === null || task.work.kind !== 'turn' || task.work.context !== name) continue;
    now.tasks[task.id] = { ...task, turn: shifted(task.turn, context, dropped) };
  }
}

function shifted(turn: TurnProgress, context: Context, dropped: number): TurnProgress {
  if (dropped === Infinity) {
    const { base: _cleared, ...rest } = turn;
    return { ...rest, sees: 0 };
  }
  return { ...turn, sees: leftOf(context, { first: turn.sees, dropped }) };
}
