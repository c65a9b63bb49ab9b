import type { Effect } from '../../core/model/effect.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import type { Unbegun } from '../../core/record/files-fact.ts';

/** How the journal names an effect that had not begun; null for effects that do not report when they begin. */
export function unbegunOf(effect: Effect): Unbegun | null {
  if (effect.kind === 'command.run') return { task: effect.task };
  return effect.kind === 'tool.run' ? { task: effect.task, toolCall: effect.toolCall.id } : null;
}

/** How an answer names the work it led to while no process drives the run: a call has not begun then either. */
export const announcedOf = (effect: Effect): Unbegun | null =>
  effect.kind === 'actor.call' ? { task: effect.task } : unbegunOf(effect);

/** Whether the journal says that nothing of this effect has happened, although it was announced. */
export function isUnbegun(effect: Effect, unbegun: readonly Unbegun[]): boolean {
  const own = announcedOf(effect);
  return own !== null && unbegun.some(({ task, toolCall }) => task === own.task && toolCall === own.toolCall);
}

/** No process has driven the run yet: another one began it. */
export const isUntouched = (records: readonly JournalRecord[]): boolean =>
  records.every(({ fact }) => fact.kind !== 'run.resumed') &&
  records.some(({ fact }) => fact.kind === 'run.started' && fact.isOffered === true);

/** Work that was announced since a process last drove the run. */
export function unbegunIn(records: readonly JournalRecord[]): readonly Unbegun[] {
  const last = records.findLastIndex(({ fact }) => fact.kind === 'run.resumed');
  return records.slice(last + 1).flatMap(({ fact }) => (fact.kind === 'question.answered' ? (fact.unbegun ?? []) : []));
}

/** Who drove it last, where machines share the journal. */
export const lastWorker = (records: readonly JournalRecord[]): string | undefined =>
  records.map(({ fact }) => fact).findLast((fact) => fact.kind === 'run.resumed')?.worker;
