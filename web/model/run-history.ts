import type { Fact, JournalRecord } from '../../src/core/record/fact.ts';
import { HistoryFold, type RunHistory } from '../../src/protocol/history/history-fold.ts';
import type { PageRecord } from '../../src/protocol/web/record-page.ts';
import { ProblemFold, type RunProblem } from './problems-fold.ts';
import type { RunNode, RunTree } from './run-tree.ts';
import { type Transcript, TranscriptFold } from './transcript-fold.ts';
import { isRunBelow } from '../../src/core/fold/open-children.ts';
import type { Message } from '../../src/core/model/message.ts';
import { runTime, timeBetween, type WorkTime } from '../../src/core/fold/work-clock.ts';
import type { Visit } from '../../src/protocol/history/visits.ts';
import { treeLines } from './tree-lines.ts';

/** The history of a run, with what only the page shows. */
export interface PageHistory extends RunHistory {
  readonly problems: readonly RunProblem[];
  readonly transcript: Transcript;
  readonly changes: Changes;
}

/** How many records there were after which something has to be asked for or made again. */
export type Changes = Readonly<Record<keyof typeof CHANGES, number>>;

const CHANGES = {
  /** New units, new runs below, another definition. */
  picture: (fact: Fact): boolean =>
    fact.kind === 'task.started'
      ? isRunBelow(fact.work) || fact.work.kind === 'pool'
      : fact.kind === 'units.added'
        ? fact.units.length > 0
        : fact.kind === 'run.redefined' || fact.kind === 'run.rewound' || fact.kind === 'run.forked',
  /** Records that make, change or answer a request of an agent. */
  requests: (fact: Fact): boolean =>
    REQUESTS.has(fact.kind) || (fact.kind === 'task.started' && fact.work.kind === 'turn'),
  artifacts: (fact: Fact): boolean => fact.kind === 'artifact.recorded' || fact.kind === 'run.rewound',
} as const;

const REQUESTS: ReadonlySet<Fact['kind']> = new Set([
  'call.started',
  'call.retried',
  'call.answered',
  'call.failed',
  'compaction.started',
  'results.cleared',
  'session.noted',
]);

/** Each record is folded once however often the page looks: the lines of a run are one array that grows. */
export function historyOf(run: RunNode): PageHistory {
  const seen = SEEN.get(run);
  if (seen !== undefined) return seen;
  const { lines, count } = run;
  const known = FOLDS.get(lines);
  // A look at an older version than was folded begins again.
  const at = known === undefined || known.count > count ? { fold: new PageFold(run.run), count: 0 } : known;
  for (const { record } of lines.slice(at.count, count)) at.fold.take(record);
  at.count = count;
  if ((known?.count ?? 0) <= count) FOLDS.set(lines, at);
  const { history } = at.fold;
  SEEN.set(run, history);
  return history;
}

const SEEN = new WeakMap<RunNode, PageHistory>();
const FOLDS = new WeakMap<readonly PageRecord[], { readonly fold: PageFold; count: number }>();

/** The sum over all runs of a tree. */
export function changesOfRun(tree: RunTree, of: keyof Changes): number {
  let sum = 0;
  for (const run of tree.runs.values()) sum += historyOf(run).changes[of];
  return sum;
}

class PageFold {
  readonly #fold: HistoryFold;
  readonly #problems: ProblemFold;
  readonly #transcript: TranscriptFold;
  readonly #changes = { picture: 0, requests: 0, artifacts: 0 };

  constructor(run: string) {
    this.#fold = new HistoryFold(run);
    this.#problems = new ProblemFold(run, this.#fold.book);
    this.#transcript = new TranscriptFold(run, this.#fold.book);
  }

  take(record: JournalRecord): void {
    this.#fold.take(record);
    this.#problems.take(record);
    this.#transcript.take(record);
    for (const of of Object.keys(CHANGES) as (keyof Changes)[]) if (CHANGES[of](record.fact)) this.#changes[of] += 1;
  }

  get history(): PageHistory {
    return {
      ...this.#fold.history,
      problems: this.#problems.view,
      transcript: this.#transcript.view,
      changes: { ...this.#changes },
    };
  }
}

/** A problem, with the turn of the client whose process may have printed why. */
export interface TreeProblem extends RunProblem {
  readonly client: { readonly run: string; readonly task: string } | null;
}

/** Of a run and all below it: what stands first, the newest first. */
export function treeProblems(tree: RunTree): readonly TreeProblem[] {
  const order = ({ standing, isEnd }: RunProblem): number =>
    isEnd ? 0 : standing === 'open' ? 1 : standing === 'fixed' ? 2 : 3;
  const { placeOf } = treeLines(tree);
  const newestFirst = (a: RunProblem, b: RunProblem): number => placeOf(b.run, b.seq) - placeOf(a.run, a.seq);
  return problemsIn(tree)
    .map((problem) => ({ ...problem, client: clientOf(tree, problem) }))
    .toSorted((a, b) => order(a) - order(b) || newestFirst(a, b));
}

/** The client may have had the turn in a run below. */
function clientOf({ runs }: RunTree, { run, task }: RunProblem): TreeProblem['client'] {
  const turnsIn = (node: RunNode | undefined): readonly string[] =>
    node === undefined ? [] : historyOf(node).agents.flatMap(({ client }) => client?.turns ?? []);
  if (task === null) return null;
  if (turnsIn(runs.get(run)).includes(task)) return { run, task };
  const below = runs.get(`${run}/${task}`);
  const turn = below === undefined || below.snapshot.apart === null ? undefined : turnsIn(below).at(-1);
  return below === undefined || turn === undefined ? null : { run: below.run, task: turn };
}

/** How many there are that no one should have to look for; tools that an agent saw fail and did without are none. */
export const problemCount = (tree: RunTree): number =>
  problemsIn(tree).filter(({ standing, kind }) => standing === 'open' && kind !== 'tool').length;

const problemsIn = (tree: RunTree): readonly RunProblem[] =>
  [...tree.runs.values()].flatMap((run) => historyOf(run).problems);

const HUES = 8;

/** The agents of a tree by the time they first appeared: an agent keeps its place, because later ones come later. */
export function agentOrder(tree: RunTree): readonly string[] {
  const known = ORDERS.get(tree.runs) ?? orderIn(tree);
  ORDERS.set(tree.runs, known);
  return known;
}

const ORDERS = new WeakMap<RunTree['runs'], readonly string[]>();

function orderIn(tree: RunTree): readonly string[] {
  const first = new Map<string, number>();
  for (const run of tree.runs.values())
    for (const [agent, at] of historyOf(run).firstSeen) first.set(agent, Math.min(at, first.get(agent) ?? at));
  return [...first].toSorted(([a, atA], [b, atB]) => atA - atB || (a < b ? -1 : 1)).map(([agent]) => agent);
}

export function agentColour(order: readonly string[], agent: string): string {
  const place = order.indexOf(agent);
  return place === -1 ? 'var(--muted)' : `var(--agent-${(place % HUES) + 1})`;
}

export type AuthorKind = 'agent' | 'engine' | 'workflow' | 'person';

/** Who wrote a message. Only a name that is neither the engine's nor an agent's is a person's. */
export function authorKind({ author, role }: Pick<Message, 'author' | 'role'>, tree: RunTree): AuthorKind {
  if (author === 'workflow') return 'workflow';
  if (author === 'troupe' || author === 'system') return 'engine';
  if (author === 'person') return 'person';
  return role === 'assistant' || role === 'tool' || isAgent(author, tree) ? 'agent' : 'person';
}

const isAgent = (name: string, tree: RunTree): boolean =>
  agentOrder(tree).includes(name) ||
  [...tree.runs.values()].some(({ definition }) => definition?.workflow.agents.some((agent) => agent.name === name));

/**
 * A run below as people know it: by the unit or the state that it does the work of, `phases › planning` where it is deeper down;
 * nothing for the root. Its id would only say as which task it was begun.
 */
export function runName(tree: RunTree, run: string): string {
  const names: string[] = [];
  for (let one = tree.runs.get(run); one !== undefined && one.run !== tree.root; one = parentOf(tree, one))
    names.unshift(ownName(tree, one));
  return names.length === 0 && run !== tree.root ? run.slice(tree.root.length + 1) : names.join(' › ');
}

const parentOf = (tree: RunTree, { parent }: RunNode): RunNode | undefined => tree.runs.get(parent ?? '');

function ownName(tree: RunTree, one: RunNode): string {
  const parent = parentOf(tree, one);
  const task = one.run.slice(one.run.lastIndexOf('/') + 1);
  const bar = parent === undefined ? undefined : historyOf(parent).bars.findLast((bar) => bar.task === task);
  return bar?.unit ?? bar?.state ?? one.snapshot.workflow;
}

/** How long a visit has taken by a moment; nothing is added once it was left. */
export const visitTime = ({ snapshot }: RunNode, { before, time }: Visit, at: number): WorkTime =>
  time ?? timeBetween(before, runTime(snapshot.clock, at));

/** The visits of a node: of several states that are one thing, only where something was done. */
export function visitsOfStates(run: RunNode, states: readonly string[]): readonly Visit[] {
  const own = historyOf(run).visits.list.filter(({ state }) => states.includes(state));
  const worked = own.filter(({ tasks }) => tasks.length > 0);
  return states.length === 1 || worked.length === 0 ? own : worked;
}
