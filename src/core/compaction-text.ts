import type { CompactionFact } from './compaction-fact.ts';
import { unreachable } from './fault.ts';

/** One line for people, the same wherever it is shown. */
export function compactionText(fact: CompactionFact): string {
  switch (fact.kind) {
    case 'results.cleared':
      return `cleared: ${counted(fact.toolCalls.length, 'old tool result')}, ${fact.before} → ${fact.after} tokens`;
    case 'compaction.started': {
      const { tokens, window, usable, model } = fact.size;
      const why =
        fact.reason === 'overflow'
          ? `the endpoint refused a request of ${tokens} tokens as too large (${model} has a window of ${window}, of which a request may fill ${usable})`
          : `the request has ${tokens} of the ${usable} tokens it may fill (${model} has a window of ${window})`;
      return `compacting: ${why}; the agent is asked for a summary`;
    }
    case 'turn.compacted':
      return `compacted: ${counted(fact.messages, 'message')}, ${fact.before} → ${fact.after} tokens`;
    default:
      return unreachable(fact);
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
