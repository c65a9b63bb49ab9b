import type { Event } from '../../core/model/event.ts';
import type { UsageNoted } from '../../core/record/files-fact.ts';

/**
 * The cost of an event. A released run takes no more events and repeats the work they answered, but that was paid for. The
 * cost of a child run is not here: it is in the child's journal, and reported when it has settled.
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

/** The workspaces whose files an event reports. */
export const workspacesIn = (event: Event): readonly string[] =>
  event.kind === 'world.noted' ? event.facts.flatMap((fact) => ('workspace' in fact ? [fact.workspace] : [])) : [];
