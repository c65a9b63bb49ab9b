import { historyOf } from './run-history.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts';
import type { Failure, Outcome } from '../../src/core/outcome.ts';
import { resultBranch, resultState, type ResultState } from '../../src/core/result-state.ts';
import { stepName } from './fork-points.ts';
import type { RunNode, RunTree } from './run-tree.ts';
import type { Visit } from '../../src/protocol/history/visits.ts';

/** What came of a run that is over. */
export interface ShownRunResult {
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  /** In a few words each: who won, what was decided, whether its tests pass, how many phases are done. */
  readonly facts: readonly string[];
  /** The last step that did something: where one would fork. Null where there was none. */
  readonly step: { readonly state: string; readonly visit: number; readonly name: string } | null;
  /** The end its workflow has for it, where it has one. */
  readonly end: string | null;
  readonly artifacts: readonly string[];
  readonly state: ResultState;
  /** A branch, a patch or paths, named in the words about the result. */
  readonly where: string;
  /** What else it gave back, and `facts` do not tell. */
  readonly output: Json;
}

/** Null while it goes on. Made once for each change of the root. */
export function shownRunResult(tree: RunTree): ShownRunResult | null {
  const root = tree.runs.get(tree.root);
  if (root === undefined || root.snapshot.result === null) return null;
  const known = KNOWN.get(root) ?? resultOf(root, root.snapshot.result);
  KNOWN.set(root, known);
  return known;
}

const KNOWN = new WeakMap<RunNode, ShownRunResult>();

type Result = NonNullable<RunNode['snapshot']['result']>;

function resultOf(root: RunNode, { outcome, failure, output }: Result): ShownRunResult {
  const told = isJsonObject(output) ? (reviewed(output) ?? phased(output)) : null;
  const { facts, artifacts } = told ?? UNTOLD;
  const state = resultState(root.snapshot);
  return {
    outcome,
    failure,
    facts,
    artifacts,
    ...placeOf(root),
    state,
    where: whereOf(root.snapshot, state),
    output: told === null ? output : null,
  };
}

const UNTOLD: Told = { facts: [], artifacts: [] };

function placeOf(root: RunNode): Pick<ShownRunResult, 'step' | 'end'> {
  const { counting, list } = historyOf(root).visits;
  const isEnd = ({ state }: Visit): boolean => root.definition?.workflow.states[state]?.kind === 'end';
  const last = counting.findLast((visit) => !isEnd(visit));
  return {
    step: last === undefined ? null : { state: last.state, visit: last.visit, name: stepName(last, list) },
    end: counting.findLast(isEnd)?.state ?? null,
  };
}

interface Told {
  readonly facts: readonly string[];
  readonly artifacts: readonly string[];
}

/** Of implementations that were reviewed: the best one, what was decided about it, and what its tests say. */
function reviewed({ winner, decision, evidence }: JsonObject): Told | null {
  if (typeof decision !== 'string' || winner === undefined) return null;
  if (typeof winner !== 'string') return { facts: ['none was taken', decided(decision)], artifacts: [] };
  const shown = isJsonObject(evidence) ? evidence[winner] : undefined;
  return { facts: [`${winner} won`, decided(decision), ...tests(shown)], artifacts: [] };
}

const decided = (decision: string): string => (decision === 'APPROVE' ? 'approved' : decision);

function tests(evidence: Json | undefined): readonly string[] {
  if (!isJsonObject(evidence) || typeof evidence['isGreen'] !== 'boolean') return [];
  const { isGreen, passed, failed } = evidence;
  if (typeof passed !== 'number' || typeof failed !== 'number') return [isGreen ? 'its tests pass' : 'its tests fail'];
  if (failed > 0) return [`${failed} of ${passed + failed} tests fail`];
  return [passed === 1 ? '1 test passes' : `${passed} tests pass`];
}

/** Of phases: how many are done, and what they left behind. */
function phased({ phases, artifacts }: JsonObject): Told | null {
  if (!isJsonObject(phases) || !Array.isArray(artifacts)) return null;
  const all = Object.values(phases);
  const done = all.filter((phase) => isJsonObject(phase) && phase['outcome'] === 'ok').length;
  const count = done === all.length ? `${done}` : `${done} of ${all.length}`;
  return {
    facts: [`${count} ${all.length === 1 ? 'phase' : 'phases'} done`],
    artifacts: artifacts.filter((one) => typeof one === 'string'),
  };
}

/** The result as git has it: the records still say that it waits on a branch that the user merged or deleted. */
export const listedState = (state: ResultState, listed: ResultState | undefined): ResultState =>
  listed?.state === 'delivered' && listed.where === resultBranch(state) ? listed : state;

export const withListedGit = (result: ShownRunResult, listed: ResultState | undefined): ShownRunResult => ({
  ...result,
  state: listedState(result.state, listed),
});

function whereOf({ handed }: RunNode['snapshot'], state: ResultState): string {
  if (state.kind !== 'held') return state.where ?? '';
  return `${(handed?.held ?? []).join(', ')}${handed?.hasMore === true ? ' …' : ''}`;
}
