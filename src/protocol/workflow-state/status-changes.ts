import type { Fact, JournalRecord, RunSettled } from '../../core/record/fact.ts';
import type { RunRewound } from '../../core/record/rewound-fact.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { WorkflowStatus } from './workflow-state.ts';

export interface StatusChange {
  readonly status: WorkflowStatus;
  readonly at: number;
}

/** Every status a run had, oldest first; the last one is how it stands. */
export function statusChanges(records: readonly JournalRecord[]): readonly StatusChange[] {
  const changes: StatusChange[] = [];
  /** By record: the status after it. */
  const known = new Map<number, WorkflowStatus>();
  let now: WorkflowStatus | null = null;
  let isRollingBack = false;
  for (const { seq, at, fact } of records) {
    for (const status of statusesBy(fact, { now, isRollingBack, known })) {
      if (status !== now) changes.push({ status, at });
      now = status;
    }
    isRollingBack = rollsBack(fact, isRollingBack);
    if (now !== null) known.set(seq, now);
  }
  return changes;
}

function rollsBack(fact: Fact, before: boolean): boolean {
  if (fact.kind === 'rollback.started') return true;
  return before && fact.kind !== 'run.settled' && !(fact.kind === 'run.rewound' && fact.state !== null);
}

interface Before {
  /** Null before the first. */
  readonly now: WorkflowStatus | null;
  readonly isRollingBack: boolean;
  readonly known: ReadonlyMap<number, WorkflowStatus>;
}

function statusesBy(fact: Fact, before: Before): readonly WorkflowStatus[] {
  switch (fact.kind) {
    case 'run.started':
    case 'run.forked':
      return ['pending'];
    case 'run.resumed':
    case 'task.started':
      return goesOn(before);
    case 'state.entered':
      return fact.from === null ? [] : goesOn(before);
    case 'rollback.started':
      return ['failed', 'rollback'];
    case 'run.settled':
      return [settledAs(fact, before)];
    case 'run.rewound':
      return putBack(fact, before);
    default:
      return [];
  }
}

/** An interrupted rollback continues; one made by a person is over when the run moves again. */
function goesOn({ now, isRollingBack }: Before): readonly WorkflowStatus[] {
  return isRollingBack || (now !== 'pending' && now !== 'rollback') ? [] : ['running'];
}

const GOOD: ReadonlySet<Outcome> = new Set(['ok', 'skipped']);

/** A partial result is not complete, so it is no success (L5). */
function settledAs({ outcome }: RunSettled, { isRollingBack }: Before): WorkflowStatus {
  if (GOOD.has(outcome)) return 'success';
  return isRollingBack ? 'failed_final' : 'failed';
}

/** Put back to a settled state it is settled again; otherwise it waits there until a person resumes it. */
function putBack({ to, state }: RunRewound, { known }: Before): readonly WorkflowStatus[] {
  if (state === null) return [];
  return state.status === 'settled' ? [known.get(to) ?? 'failed'] : ['rollback'];
}
