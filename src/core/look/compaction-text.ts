import { shortCount } from './amount-text.ts';
import type { CompactionFact, ResultsCleared, TurnCompacted } from '../record/compaction-fact.ts';
import { unreachable } from '../model/fault.ts';

/** One line for people, the same wherever it is shown. */
export function compactionText(fact: CompactionFact): string {
  switch (fact.kind) {
    case 'results.cleared':
      return `cleared: ${counted(fact.toolCalls.length, 'old tool result')}, ${sizesText(fact)}`;
    case 'compaction.started': {
      const { tokens, window, usable, model } = fact.size;
      const why =
        fact.reason === 'overflow'
          ? `the endpoint refused a request of about ${shortCount(tokens)} tokens as too large (${model} has a window of ${shortCount(window)}, of which a request may fill ${shortCount(usable)})`
          : `the request has about ${shortCount(tokens)} of the ${shortCount(usable)} tokens it may fill (${model} has a window of ${shortCount(window)})`;
      return `compacting: ${why}; the agent is asked for a summary`;
    }
    case 'turn.compacted':
      return `compacted: ${counted(fact.messages, 'message')}, ${sizesText(fact)}`;
    default:
      return unreachable(fact);
  }
}

/** Both are estimates. */
const sizesText = ({ before, after }: ResultsCleared | TurnCompacted): string =>
  `about ${shortCount(before)} → ${shortCount(after)} tokens`;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
