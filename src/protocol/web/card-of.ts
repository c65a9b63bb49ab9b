import type { Outcome } from '../../core/model/outcome.ts';
import { asFound, NO_RESULT, type ResultState, type TakenResult } from '../../core/look/result-state.ts';
import type { CardDetails, Column, RunCard } from './run-card.ts';
import { type QueuedReason, type RunStatusWord, willBeTaken } from '../status-word.ts';

/** The facts about a run that the journal's list provides without reading the run. */
export interface CardedRun {
  readonly run: string;
  readonly workflow: string;
  readonly title: string;
  readonly project: string;
  readonly at: number;
  readonly status: 'running' | 'waiting' | 'paused' | 'settled';
  readonly outcome: Outcome | null;
  readonly result?: ResultState;
  readonly isArchived?: true;
  readonly seq: number;
  readonly updatedAt: number;
  readonly driven: boolean;
  /** Why no worker drives it although it wants to go on; absent where this machine is alone. */
  readonly queued?: QueuedReason;
}

export interface CardSource {
  readonly info: CardedRun;
  /** The runs below it that are not over. */
  readonly below: readonly Pick<CardedRun, 'status' | 'updatedAt'>[];
  readonly details: CardDetails | null;
  /** The fate of its branch or patch; absent while the result waits there. */
  readonly taken?: TakenResult | undefined;
  readonly damage: string | null;
}

export function cardOf(source: CardSource): RunCard {
  const { info, below, details, damage } = source;
  const { run, workflow, title, project, outcome, driven, seq } = info;
  const standing = standingOf(info, below);
  const updatedAt = Math.max(info.updatedAt, ...below.map((child) => child.updatedAt));
  return {
    run,
    workflow,
    title,
    project,
    column: columnOf(source),
    status: standing,
    ...(standing === 'queued' && info.queued !== undefined ? { queued: info.queued } : {}),
    outcome,
    result: resultOf(source),
    ...(info.isArchived === true ? { isArchived: true } : {}),
    driven,
    startedAt: info.at,
    updatedAt,
    endedAt: info.status === 'settled' ? (details?.clock.endedAt ?? updatedAt) : null,
    seq,
    details,
    damage,
  };
}

const resultOf = ({ info: { result = NO_RESULT }, taken }: CardSource): ResultState => asFound(result, taken);

/** A run below that asks, or met a limit, makes the one above wait as well. */
export function standingOf(info: CardedRun, below: CardSource['below']): RunStatusWord {
  if (info.status === 'settled') return 'settled';
  const statuses = new Set([info, ...below].map(({ status }) => status));
  if (statuses.has('paused')) return 'paused';
  if (statuses.has('waiting')) return 'waiting';
  if (info.driven) return 'running';
  return info.queued === undefined ? 'stopped' : 'queued';
}

/** By the list and git alone. A person who took or discarded a result has seen to the run, however it ended. */
export function columnOf(source: CardSource): Column {
  const { info, below, damage } = source;
  const standing = standingOf(info, below);
  // It continues by itself; a run that no worker can take needs a person.
  if (standing === 'running' || (standing === 'queued' && willBeTaken(info.queued))) return 'running';
  if (standing !== 'settled') return 'needs-you';
  return damage === null ? settledColumn(info.outcome, resultOf(source)) : 'failed';
}

function settledColumn(outcome: CardedRun['outcome'], { state }: ResultState): Column {
  if (state === 'discarded' || state === 'delivered' || outcome === 'cancelled') return 'done';
  if (outcome === 'ok' && state === 'none') return 'done';
  return (outcome === 'ok' || outcome === 'partial') && state === 'waiting' ? 'ready' : 'failed';
}
