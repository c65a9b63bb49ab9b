import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { hasOpenQuestions } from '../../core/look/open-questions.ts';
import { resultState } from '../../core/look/result-state.ts';
import { isAtRest } from '../../core/fold/work-clock.ts';
import { isRunPaused } from '../../core/step/paused.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { Batch, Outgoing, RunSummary } from '../../journal/port.ts';

/** Facts as the journal takes them: numbered after the newest, with the time of the snapshot they lead to. */
export function batchOf(
  facts: readonly Fact[],
  to: {
    readonly after: number;
    readonly snapshot: Snapshot;
    readonly consumed?: readonly string[];
    readonly sends?: readonly Outgoing[];
  },
): Batch {
  const { after, snapshot, consumed = [], sends = [] } = to;
  return {
    records: facts.map((fact, index): JournalRecord => ({ seq: after + index + 1, at: snapshot.at, fact })),
    summary: batchSummary(snapshot),
    ...(consumed.length > 0 ? { consumed } : {}),
    ...(sends.length > 0 ? { sends } : {}),
  };
}

export function batchSummary(snapshot: Snapshot): RunSummary {
  if (snapshot.status === 'settled') {
    const result = resultState(snapshot);
    return {
      status: 'settled',
      outcome: snapshot.result?.outcome ?? null,
      ...(result.state === 'none' ? {} : { result }),
      ...(snapshot.archivedBy === null ? {} : { isArchived: true }),
    };
  }
  const open = { outcome: null, ...(snapshot.needs === null ? {} : { needs: snapshot.needs }) };
  if (isRunPaused(snapshot)) return { status: 'paused', ...open };
  if (hasOpenQuestions(snapshot)) return { status: 'waiting', ...open };
  return { status: 'running', ...open, ...(isAtRest(snapshot.clock) ? { isWaitingBelow: true } : {}) };
}
