import type { Outcome } from '../../core/outcome.ts';
import type { ResultState } from '../../core/result-state.ts';
import type { CardDetails, Column, RunCard } from './run-card.ts';
import type { RunStatusWord } from '../status-word.ts';

/** What the journal's list says of a run without reading it. */
export interface ListedRun {
  readonly run: string;
  readonly workflow: string;
  readonly title: string;
  readonly project: string;
  readonly at: number;
  readonly status: 'running' | 'waiting' | 'paused' | 'settled';
  readonly outcome: Outcome | null;
  readonly result?: ResultState;
  readonly seq: number;
  readonly updatedAt: number;
  readonly driven: boolean;
}

export interface CardSource {
  readonly info: ListedRun;
  /** The runs below it that are not over. */
  readonly below: readonly Pick<ListedRun, 'status' | 'updatedAt'>[];
  readonly details: CardDetails | null;
  readonly damage: string | null;
}

export function cardOf(source: CardSource): RunCard {
  const { info, below, details, damage } = source;
  const { run, workflow, title, project, outcome, driven, seq } = info;
  const updatedAt = Math.max(info.updatedAt, ...below.map((child) => child.updatedAt));
  return {
    run,
    workflow,
    title,
    project,
    column: columnOf(source),
    status: standingOf(info, below),
    outcome,
    ...resultOf(source),
    driven,
    startedAt: info.at,
    updatedAt,
    endedAt: info.status === 'settled' ? (details?.clock.endedAt ?? updatedAt) : null,
    seq,
    details,
    damage,
  };
}

/** A branch that the user merged or deleted holds nothing any more. */
function resultOf({ info: { result }, details }: CardSource): Pick<RunCard, 'result'> {
  if (result === undefined) return {};
  return result.kind === 'branch' && result.where === details?.takenBranch ? {} : { result };
}

/** A run below that asks, or met a limit, makes the one above wait as well. */
export function standingOf(info: ListedRun, below: CardSource['below']): RunStatusWord {
  if (info.status === 'settled') return 'settled';
  const statuses = new Set([info, ...below].map(({ status }) => status));
  if (statuses.has('paused')) return 'paused';
  if (statuses.has('waiting')) return 'waiting';
  return info.driven ? 'running' : 'stopped';
}

/** By the list alone, but for one that came out well: whether its result waits only its records tell. */
export function columnOf(source: CardSource): Column {
  const { info, below, details, damage } = source;
  const standing = standingOf(info, below);
  if (standing === 'running') return 'running';
  if (standing !== 'settled') return 'needs-you';
  const isTaken = damage === null && details?.isResultWaiting !== true;
  return info.outcome === 'ok' && isTaken ? 'done' : 'review';
}
