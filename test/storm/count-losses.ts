import type { Fact } from '../../src/core/record/fact.ts';
import type { StormTarget } from './storm-project.ts';

/** What is known of one run when the storm is over. */
export interface StormEvidence {
  readonly target: StormTarget;
  readonly facts: readonly Fact[];
  /** Each file of the result as the user has it. */
  readonly files: readonly (string | null)[];
  /** Commits of the branch. */
  readonly commits: number;
  /** The user's own edit of a delivered file, made after the delivery had finished, is still there. */
  readonly isEditKept: boolean;
  /** Calls that the model was asked for though their answer was in the journal before the asking process began. */
  readonly repeatedCalls: number;
}

export interface StormLosses {
  readonly missing: number;
  readonly appliedTwice: number;
  readonly callsRepeated: number;
}

/** What a run lost or did twice: 0 three times where it kept its promise. */
export function countLosses(evidence: StormEvidence): StormLosses {
  const answered = evidence.facts.flatMap((fact) =>
    fact.kind === 'call.answered' ? [`${fact.task}/${fact.call}`] : [],
  );
  return {
    missing: isMissing(evidence) ? 1 : 0,
    appliedTwice: isTwice(evidence) ? 1 : 0,
    callsRepeated: evidence.repeatedCalls + answered.length - new Set(answered).size,
  };
}

function isMissing({ target, facts, files, commits }: StormEvidence): boolean {
  const isRecorded = finished(facts).includes(target === 'apply' ? 'applied' : 'branch');
  return !isRecorded || files.some((content) => content !== 'made\n') || (target === 'branch' && commits === 0);
}

/** By the journal, by the branch's history, and by what became of the user's own edit. */
function isTwice({ target, facts, commits, isEditKept }: StormEvidence): boolean {
  const whole = facts.filter((fact) => fact.kind === 'project.changed' && fact.tree !== undefined);
  return finished(facts).length > 1 || whole.length > 1 || (target === 'branch' && commits > 1) || !isEditKept;
}

const finished = (facts: readonly Fact[]): readonly string[] =>
  facts.flatMap((fact) => (fact.kind === 'delivery.finished' ? [fact.how] : []));
