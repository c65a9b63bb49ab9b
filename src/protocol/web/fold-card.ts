import { emptyList } from '../../core/model/append-list.ts';
import { owedDelivery } from '../../core/step/delivery.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import { applyRecord } from '../../core/fold/fold.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { treeCost } from '../../core/fold/tree-cost.ts';
import { faceOf } from '../../core/fold/work-clock.ts';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import { resultState } from '../../core/look/result-state.ts';
import { agentsAtWork, liveRuns } from '../../core/fold/live-runs.ts';
import { overlapText, overlapViews } from '../overlap-view.ts';
import { questionsIn } from '../question-view.ts';
import { hintedWorkspace, resultHints } from '../result-hints.ts';
import type { CardDetails } from './run-card.ts';

/** As much of a run as its card needs, one record on: nothing is folded from the start again, and thousands can be kept. */
export const foldCard = (before: Snapshot | null, record: JournalRecord): Snapshot => slim(applyRecord(before, record));

/** Messages and artifacts are dropped: nothing on a card depends on them. */
function slim(snapshot: Snapshot): Snapshot {
  const { current, result } = snapshot;
  return {
    ...snapshot,
    input: {},
    data: {},
    contexts: {},
    agents: {},
    childResult: null,
    last: null,
    path: emptyList(),
    visits: {},
    current: { ...current, result: null, scripts: {} },
    result: result === null ? null : { ...result, output: null },
  };
}

/** A root run and all runs below it that were folded, by their ids. */
export type CardTree = ReadonlyMap<string, Snapshot>;

export function cardDetails(tree: CardTree, snapshot: Snapshot): CardDetails {
  const find = (run: RunId): Snapshot | undefined => tree.get(run);
  const isOpen = snapshot.status !== 'settled';
  const overlaps = overlapViews(snapshot, find).map(overlapText);
  return {
    ...treeCost(snapshot, find),
    clock: faceOf(snapshot.clock),
    state: snapshot.current.state,
    agents: agentsAtWork(liveRuns(snapshot, find)),
    questions: isOpen ? questionsIn(snapshot, find) : [],
    ...(overlaps.length === 0 ? {} : { overlaps }),
    failure: snapshot.result?.failure?.message ?? snapshot.held?.failure?.message ?? null,
    hints: hintsOf(snapshot),
  };
}

/** Commands for what can be done with its result now. */
function hintsOf(snapshot: Snapshot): readonly string[] {
  const result = resultState(snapshot);
  const { run, handed, projectChange } = snapshot;
  const isOwed = owedDelivery(snapshot) !== null;
  const workspace = hintedWorkspace(handed, isOwed);
  const named = workspace === MAIN_WORKSPACE ? run : `${run} --workspace ${workspace}`;
  return resultHints({ run, named, result, handed, projectChange, isOwed }).map(({ command }) => command);
}
