import type { Event } from '../../core/model/event.ts';
import type { UsageNoted } from '../../core/record/files-fact.ts';

/**
 * What an event says was paid for. A run that is let go takes no more events, and asks again for what they answered; but it
 * was paid all the same. What a run below spent is not here: that run has it in its own journal, and tells when it has settled.
 */
export function spentIn(event: Event): readonly UsageNoted[] {
  switch (event.kind) {
    case 'world.noted':
      return event.facts.filter((fact) => fact.kind === 'usage.noted');
    case 'call.answered':
      return [
        { kind: 'usage.noted', task: event.task, usage: event.usage, costUsd: event.costUsd, model: event.model },
      ];
    case 'call.failed':
      return event.spent === undefined ? [] : [{ kind: 'usage.noted', task: event.task, ...event.spent }];
    default:
      return [];
  }
}

/** The workspaces whose files an event tells of. */
export const workspacesIn = (event: Event): readonly string[] =>
  event.kind === 'world.noted' ? event.facts.flatMap((fact) => ('workspace' in fact ? [fact.workspace] : [])) : [];
