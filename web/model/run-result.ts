import { historyOf } from './run-history.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import type { Failure, Outcome } from '../../src/core/model/outcome.ts';
import { resultState, type ResultState, resultText } from '../../src/core/look/result-state.ts';
import { stepName } from './fork-points.ts';
import type { RunNode, RunTree } from './run-tree.ts';
import type { Visit } from '../../src/protocol/history/visits.ts';
import { statusText, statusWord } from '../../src/protocol/status-word.ts';
import type { RunCard } from '../../src/protocol/web/run-card.ts';
import { isRefusedResult } from '../../src/core/step/delivery.ts';
import { failedCheck, type ResultDoubt } from '../../src/core/step/failed-check.ts';
import type { Snapshot, WorkspaceFiles } from '../../src/core/fold/snapshot.ts';
import { unverifiedIn } from '../../src/core/look/unverified.ts';

/** The result of a run that is over. */
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
  /** Output that `facts` do not show. */
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
  const parts = isJsonObject(output) ? (reviewed(output) ?? phased(output)) : null;
  const { facts, artifacts } = parts ?? NO_PARTS;
  const state = resultState(root.snapshot);
  return {
    outcome,
    failure,
    facts,
    artifacts,
    ...placeOf(root),
    state,
    where: whereOf(root.snapshot, state),
    output: parts === null ? output : null,
  };
}

const NO_PARTS: ResultParts = { facts: [], artifacts: [] };

function placeOf(root: RunNode): Pick<ShownRunResult, 'step' | 'end'> {
  const { counting, list } = historyOf(root).visits;
  const isEnd = ({ state }: Visit): boolean => root.definition?.workflow.states[state]?.kind === 'end';
  const last = counting.findLast((visit) => !isEnd(visit));
  return {
    step: last === undefined ? null : { state: last.state, visit: last.visit, name: stepName(last, list) },
    end: counting.findLast(isEnd)?.state ?? null,
  };
}

interface ResultParts {
  readonly facts: readonly string[];
  readonly artifacts: readonly string[];
}

/** Of implementations that were reviewed: the best one, what was decided about it, and what its tests say. */
function reviewed({ winner, decision, evidence }: JsonObject): ResultParts | null {
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
function phased({ phases, artifacts }: JsonObject): ResultParts | null {
  if (!isJsonObject(phases) || !Array.isArray(artifacts)) return null;
  const all = Object.values(phases);
  const done = all.filter((phase) => isJsonObject(phase) && phase['outcome'] === 'ok').length;
  const count = done === all.length ? `${done}` : `${done} of ${all.length}`;
  return {
    facts: [`${count} ${all.length === 1 ? 'phase' : 'phases'} done`],
    artifacts: artifacts.filter((one) => typeof one === 'string'),
  };
}

/** The result as it is found: the records still say that it waits in a branch or a patch that the user merged or deleted. */
export const listedState = (state: ResultState, listed: ResultState | undefined): ResultState =>
  listed?.state === 'delivered' && listed.where !== undefined && listed.where === state.where ? listed : state;

export const withListedGit = (result: ShownRunResult, listed: ResultState | undefined): ShownRunResult => ({
  ...result,
  state: listedState(result.state, listed),
});

function whereOf({ handed }: RunNode['snapshot'], state: ResultState): string {
  if (state.kind !== 'held') return state.where ?? '';
  return `${(handed?.held ?? []).join(', ')}${handed?.hasMore === true ? ' …' : ''}`;
}

interface Settled {
  readonly outcome: Outcome;
  readonly result: ResultState;
  /** Null: it is not known yet. */
  readonly isDriven: boolean | null;
}

/** The mark of a run that is over: a good outcome counts only once its result could be handed over. */
export function settledMark({ outcome, result, isDriven }: Settled): string {
  if (outcome !== 'ok' && outcome !== 'partial') return outcome;
  if (result.isUnverified === true) return 'not verified';
  const isCutOff = isDriven === false && (result.kind === 'undelivered' || result.kind === 'half-applied');
  return isCutOff || result.state === 'refused' ? resultText(result) : outcome;
}

/** How a run stands in a list: as `troupe list` says it. */
export const cardWord = (card: RunCard): string =>
  card.status === 'settled' || card.status === 'queued' ? statusText(card) : card.status;

export function cardMark(card: RunCard): string {
  const { outcome, result, driven } = card;
  return outcome === null ? statusWord(card) : settledMark({ outcome, result, isDriven: driven });
}

/** Why the files of a workspace are handed over only by name. */
export interface ResultRefusal extends ResultDoubt {
  /** The end of what the check printed; empty where there was none. */
  readonly printed: string;
}

export interface ChosenFiles {
  readonly workspace: string;
  readonly files: WorkspaceFiles | undefined;
  /** Who works there. */
  readonly agents: readonly string[];
}

/** As far as records say; the command looks at the files themselves and has the last word. */
export function resultRefusal(snapshot: Snapshot, chosen: ChosenFiles): ResultRefusal | null {
  const doubt = checkDoubt(snapshot, chosen) ?? deliveryDoubt(snapshot, chosen) ?? workDoubt(snapshot, chosen);
  if (doubt === null) return null;
  const { handed } = snapshot;
  return { ...doubt, printed: handed?.workspace === chosen.workspace ? (handed.printed ?? '') : '' };
}

const checkDoubt = (snapshot: Snapshot, { workspace, files }: ChosenFiles): ResultDoubt | null =>
  failedCheck(snapshot, { workspace, tree: files?.tree ?? snapshot.handed?.tree });

function deliveryDoubt({ delivery }: Snapshot, { workspace }: ChosenFiles): ResultDoubt | null {
  if (delivery?.fact.kind !== 'delivery.failed' || delivery.fact.workspace !== workspace) return null;
  const { code, message } = delivery.fact.failure;
  return isRefusedResult(code) ? { code, why: message } : null;
}

/** A merge or a check of the workflow refused it, or a review says that its best is not good enough. */
function workDoubt(snapshot: Snapshot, { files, agents }: ChosenFiles): ResultDoubt | null {
  if (files?.refused !== undefined) return { code: 'RESULT_NOT_VERIFIED', why: files.refused.why };
  const unverified = unverifiedIn(snapshot);
  const isIt = unverified !== null && agents.includes(unverified.implementation);
  return isIt ? { code: 'RESULT_NOT_VERIFIED', why: unverified.why } : null;
}
