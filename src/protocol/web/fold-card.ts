import { emptyList } from '../../core/append-list.ts';
import { owedDelivery } from '../../core/delivery.ts';
import type { JournalRecord } from '../../core/fact.ts';
import { applyRecord } from '../../core/fold.ts';
import { openChildren } from '../../core/open-children.ts';
import { openQuestions } from '../../core/open-questions.ts';
import type { Snapshot, WorkspaceFiles } from '../../core/snapshot.ts';
import { treeCost } from '../../core/tree-cost.ts';
import { faceOf } from '../../core/work-clock.ts';
import { appliedOf } from '../../core/applied-changes.ts';
import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import { resultState } from '../../core/result-state.ts';
import { questionsFromAbove, questionView, type QuestionView } from '../question-view.ts';
import { hintedWorkspace, resultHints } from '../result-hints.ts';
import type { CardDetails } from './run-card.ts';

/** As much of a run as its card needs, kept small so that thousands of them can be kept. */
export interface CardFold {
  readonly snapshot: Snapshot;
  /** What was done to the user's own files on its account. */
  readonly changes: readonly JournalRecord[];
}

/** One record on: nothing is ever folded from the start again. */
export function foldCard(fold: CardFold | null, record: JournalRecord): CardFold {
  const { snapshot: before, changes } = fold ?? NOTHING;
  const snapshot = slim(applyRecord(before, record));
  return {
    snapshot,
    changes: CHANGES.has(record.fact.kind) ? [...changes, record] : changes,
  };
}

const NOTHING = { snapshot: null, changes: [] } as const;
const CHANGES: ReadonlySet<string> = new Set(['project.changed', 'run.forked']);

/** What was said and made is no part of a card; nothing a card needs is decided by it. */
function slim(snapshot: Snapshot): Snapshot {
  const { current, result } = snapshot;
  return {
    ...snapshot,
    input: {},
    data: {},
    contexts: {},
    agents: {},
    childResult: null,
    path: emptyList(),
    visits: {},
    current: { ...current, result: null, scripts: {} },
    result: result === null ? null : { ...result, output: null },
  };
}

/** A root run and all runs below it that were folded, by their ids. */
export type CardTree = ReadonlyMap<string, CardFold>;

export function cardDetails(tree: CardTree, root: CardFold): CardDetails {
  const { snapshot } = root;
  const open = openBelow(tree, snapshot);
  const isOpen = snapshot.status !== 'settled';
  return {
    ...treeCost(snapshot, (run) => tree.get(run)?.snapshot),
    clock: faceOf(snapshot.clock),
    state: snapshot.current.state,
    agents: isOpen ? [...new Set([snapshot, ...open].flatMap(agentsAtWork))] : [],
    questions: isOpen ? questionsOf(tree, snapshot) : [],
    failure: snapshot.result?.failure?.message ?? snapshot.held?.failure?.message ?? null,
    isResultWaiting: !isOpen && isResultWaiting(tree, root),
    hints: hintsOf(snapshot),
    takenBranch: null,
  };
}

/** Commands for what can be done with its result now. */
function hintsOf(snapshot: Snapshot): readonly string[] {
  const result = resultState(snapshot);
  if (result === null) return [];
  const { run, handed, projectChange } = snapshot;
  const isOwed = owedDelivery(snapshot) !== null;
  const workspace = hintedWorkspace(handed, isOwed);
  const named = workspace === MAIN_WORKSPACE ? run : `${run} --workspace ${workspace}`;
  return resultHints({ run, named, result, handed, projectChange, isOwed }).map(({ command }) => command);
}

/** The runs under way below one. */
function openBelow(tree: CardTree, snapshot: Snapshot): readonly Snapshot[] {
  return openChildren(snapshot).flatMap(({ run }) => {
    const child = tree.get(run)?.snapshot;
    return child === undefined ? [] : [child, ...openBelow(tree, child)];
  });
}

const agentsAtWork = ({ tasks }: Snapshot): readonly string[] =>
  Object.values(tasks).flatMap(({ work }) => (work.kind === 'turn' ? [work.agent] : []));

/** As `show` tells them: its own, then those of the runs below it. */
function questionsOf(tree: CardTree, snapshot: Snapshot): readonly QuestionView[] {
  const own = openQuestions(snapshot).map((question) => questionView(snapshot.run, question));
  const below = openChildren(snapshot).flatMap(({ run }) => {
    const child = tree.get(run)?.snapshot;
    return child === undefined ? [] : questionsFromAbove(snapshot.run, run, questionsOf(tree, child));
  });
  return [...own, ...below];
}

/** The branch that a run's whole result waits on; null where it waits for something else too. */
export function resultBranch({ snapshot }: CardFold): string | null {
  const { status, handed } = snapshot;
  if (status !== 'settled' || handed?.how !== 'branch' || handed.held !== undefined) return null;
  return owedDelivery(snapshot) === null ? (handed.where ?? null) : null;
}

/** Something was changed that is neither brought anywhere nor in the user's own files. */
function isResultWaiting(tree: CardTree, root: CardFold): boolean {
  if (root.snapshot.handed !== null || owedDelivery(root.snapshot) !== null) return true;
  const workspaces = newestWorkspaces(tree);
  return [...workspaces].some(
    ([name, { tree: held, base, isGone }]) =>
      held !== base && isGone !== true && appliedOf(root.changes, name) !== held,
  );
}

/** A workspace may be changed by any run of the tree; its number tells whose word is the newest. */
function newestWorkspaces(tree: CardTree): ReadonlyMap<string, WorkspaceFiles> {
  const newest = new Map<string, WorkspaceFiles>();
  for (const { snapshot } of tree.values()) {
    for (const [name, files] of Object.entries(snapshot.workspaces)) {
      const known = newest.get(name);
      if (known === undefined || files.version > known.version) newest.set(name, files);
    }
  }
  return newest;
}
