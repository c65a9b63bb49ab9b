import type { DeliveryFinished } from '../../core/record/delivery-fact.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { isChoice, type ConflictView } from './conflict-view.ts';
import type { CopiedFiles, MergeOutcome } from './merge-outcome.ts';
import type { RunResult } from './run-result.ts';

const MOST_PATHS = 20;
/** Longest list in a record, because every reader of the run reads it. */
const MOST_LISTED = 200;
const MOST_OUTPUT = 16_384;

/** The result of a delivery, as the journal keeps it. */
export function deliveryFact(
  { workspace, tree }: Pick<RunResult, 'workspace' | 'tree'>,
  outcome: MergeOutcome,
  by: string,
): DeliveryFinished {
  const { check, unverified } = outcome;
  return {
    kind: 'delivery.finished',
    workspace,
    tree,
    ...howOf(outcome),
    ...(check === undefined ? {} : { check }),
    ...(unverified === undefined ? {} : { unverified }),
    by,
    report: reportOf(outcome),
  };
}

type How = Pick<
  DeliveryFinished,
  'how' | 'where' | 'conflicts' | 'canChoose' | 'held' | 'hasMore' | 'command' | 'reason'
>;

function howOf(outcome: MergeOutcome): How {
  switch (outcome.kind) {
    case 'result.branch':
      return { how: 'branch', where: outcome.branch, ...pathsOf(outcome.conflicts) };
    case 'result.patch':
      return { how: 'patch', where: outcome.file, ...pathsOf(outcome.conflicts) };
    case 'result.conflict':
      return { how: 'conflict', ...pathsOf(outcome.conflicts) };
    case 'result.not-verified':
      return { how: 'not-verified', where: outcome.folder, command: outcome.command, reason: outcome.reason };
    case 'result.applied':
      return { how: 'applied', ...heldOf(outcome) };
    default:
      return { how: 'unchanged', ...heldOf(outcome) };
  }
}

function heldOf({ held = [] }: MergeOutcome): Pick<How, 'held' | 'hasMore'> {
  if (held.length === 0) return {};
  const named = held.slice(0, MOST_PATHS).map(({ path }) => path);
  return { held: named, ...(held.length > MOST_PATHS ? { hasMore: true } : {}) };
}

function pathsOf(conflicts: readonly ConflictView[]): Pick<How, 'conflicts' | 'canChoose' | 'hasMore'> {
  if (conflicts.length === 0) return {};
  const named = conflicts.slice(0, MOST_PATHS).map(({ path }) => path);
  return {
    conflicts: named,
    ...(conflicts.every(isChoice) ? { canChoose: true } : {}),
    ...(conflicts.length > MOST_PATHS ? { hasMore: true } : {}),
  };
}

/** Long lists and outputs are cut, and the number of all changes is given. */
function reportOf(outcome: MergeOutcome): JsonObject {
  const cut = Object.entries(outcome).map(([name, value]: readonly [string, unknown]) => [name, cutShort(name, value)]);
  const count =
    'changes' in outcome && outcome.changes.length > MOST_LISTED ? { changeCount: outcome.changes.length } : {};
  return { ...(Object.fromEntries(cut) as JsonObject), ...count };
}

function cutShort(name: string, value: unknown): unknown {
  if (name === 'copied') return cutCopied(value as CopiedFiles);
  if (Array.isArray(value)) return value.slice(0, name === 'conflicts' ? MOST_PATHS : MOST_LISTED);
  return name === 'output' && typeof value === 'string' ? value.slice(-MOST_OUTPUT) : value;
}

const cutCopied = ({ to, written, refused }: CopiedFiles): CopiedFiles => ({
  to,
  written: written.slice(0, MOST_LISTED),
  refused: refused.slice(0, MOST_LISTED),
});

/** The outcome that a record reports. */
export const reportedOutcome = ({ report }: DeliveryFinished): MergeOutcome | null =>
  report === undefined ? null : (report as unknown as MergeOutcome);
