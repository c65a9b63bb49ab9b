import type { Json } from '../../src/core/model/json.ts';
import type { Outcome } from '../../src/core/model/outcome.ts';
import type { ResultKind } from '../../src/core/look/result-state.ts';
import type { ShownRunResult } from '../model/run-result.ts';

/** Words for what came of a run: the line on top of it. */

const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  ok: 'Done',
  partial: 'Done in part',
  blocked: 'Blocked',
  failed: 'Failed',
  timeout: 'Out of time',
  quota: 'Stopped at a limit',
  crashed: 'Crashed',
  cancelled: 'Cancelled',
  skipped: 'Skipped',
};

/** The work came out well; its result may still be refused. */
export const isGoodOutcome = ({ outcome }: Pick<ShownRunResult, 'outcome'>): boolean =>
  outcome === 'ok' || outcome === 'partial';

/** A person has to decide what becomes of a result that is good by itself. */
export const isRefused = (result: Pick<ShownRunResult, 'outcome' | 'state'>): boolean =>
  isGoodOutcome(result) && result.state.state === 'refused';

/** The first words: of a run that did not come out well, why. */
export function headOf(result: ShownRunResult, status: string = result.outcome): string {
  const { outcome, failure, end } = result;
  if (status !== outcome) return `${status.slice(0, 1).toUpperCase()}${status.slice(1)}`;
  const word = OUTCOME_WORDS[outcome];
  if (failure !== null) return `${word}: ${failure.message}`;
  return outcome === 'ok' || end === null || end === outcome ? word : `${word}: it ended with “${end}”`;
}

/** `isDelivering`: a process is still at work on it. */
export function filesWords(result: Pick<ShownRunResult, 'state' | 'where'>, isDelivering = false): string {
  const { state, where } = result;
  if (state.kind === 'undelivered' && isDelivering) return 'its changes are being delivered';
  return `${FILES_WORDS[state.kind](where)}${state.isUnverified === true ? ', not verified' : ''}`;
}

const FILES_WORDS: Readonly<Record<ResultKind, (where: string) => string>> = {
  none: () => '',
  'not-verified': () => 'its changes were not delivered',
  unresolved: () => 'its own files have open conflicts and were not delivered',
  conflict: () => 'its changes are in conflict with your files',
  unapproved: () => 'its files changed after they were approved and were not delivered',
  undelivered: () => 'its changes are not delivered yet: resume the run',
  'half-applied': () => 'only some of its changes are in your files: take the changes, or roll them back',
  ready: () => 'its changes can be delivered to your files',
  branch: (where) => `its changes wait on the branch ${where}`,
  patch: (where) => `its changes wait in ${where}`,
  waiting: () => 'its changes wait',
  applied: () => 'its changes are in your files',
  merged: (where) => `git has merged its branch ${where}`,
  'branch-gone': (where) => `its branch ${where} was deleted`,
  'patch-gone': (where) => `its patch ${where} was deleted`,
  discarded: () => 'its result was discarded',
  held: (where) => `its changes are in your files, without those that steer your programs: ${where}`,
};

/** The background of the line on top of a run, by the status of the run. */
export const toneOf = (status: string): string => TONES[status] ?? 'bg-bad-soft';

const TONES: Readonly<Record<string, string>> = {
  ok: 'bg-ok-soft',
  cancelled: 'bg-hover',
  partial: 'bg-warn-soft',
  quota: 'bg-warn-soft',
  'in conflict': 'bg-warn-soft',
  'not approved': 'bg-warn-soft',
  'not delivered': 'bg-warn-soft',
  'partly applied': 'bg-warn-soft',
};

/** A value in a line, and whether there is more of it than that. */
export function inALine(value: Json): { readonly line: string; readonly hasMore: boolean } {
  if (value === null || value === '') return { line: '', hasMore: false };
  if (typeof value === 'string') {
    const lines = value.split('\n').filter((line) => line.trim() !== '');
    const first = (lines[0] ?? '').trim().replace(/^(?:[-*+]|#+|\d+\.)\s+/, '');
    return { line: clipped(first), hasMore: lines.length > 1 || first.length > LONGEST };
  }
  if (typeof value !== 'object') return { line: String(value), hasMore: false };
  const text = JSON.stringify(value);
  return { line: clipped(text), hasMore: text.length > 2 };
}

const LONGEST = 140;

const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
