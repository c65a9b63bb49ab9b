import { compactionText } from '../../core/compaction-text.ts';
import type { Fact, JournalRecord } from '../../core/fact.ts';
import type { RunId, TaskId } from '../../core/ids.ts';
import type { TracedCall } from './traced-calls.ts';

/** What was taken out of agents' conversations. The records of each run are searched once. */
export class CutList {
  readonly #cuts = new Map<RunId, readonly JournalRecord[]>();

  /** What was taken out of the agent's conversation before the call. */
  before({ run, records, announced, definition, effect }: TracedCall): readonly string[] {
    const context = definition.workflow.agents.find(({ name }) => name === effect.agent)?.context;
    const cuts = this.#cuts.get(run) ?? records.filter(({ fact }) => CUTTING.has(fact.kind));
    this.#cuts.set(run, cuts);
    return cuts
      .filter(({ seq }) => seq <= announced.seq)
      .flatMap(({ seq, fact }) => {
        const text = cutText(fact, { context, task: effect.task });
        return text === null ? [] : [`${text} (record ${seq})`];
      });
  }
}

const CUTTING: ReadonlySet<Fact['kind']> = new Set([
  'context.trimmed',
  'context.cleared',
  'results.cleared',
  'compaction.started',
  'turn.compacted',
]);

/** A turn's own changes end with it; those of its conversation last. */
function cutText(fact: Fact, of: { readonly context: string | undefined; readonly task: TaskId }): string | null {
  switch (fact.kind) {
    case 'context.trimmed':
      return fact.context === of.context ? `${fact.dropped} messages left out` : null;
    case 'context.cleared':
      return fact.context === of.context ? 'conversation begun anew' : null;
    case 'results.cleared':
    case 'compaction.started':
    case 'turn.compacted':
      return fact.task === of.task ? compactionText(fact) : null;
    default:
      return null;
  }
}
