import { useState, type ReactNode } from 'react';
import { isRefusedResult } from '../../../src/core/delivery.ts';
import { lastLines } from '../../../src/core/last-lines.ts';
import type { MergeTarget } from '../../../src/protocol/web/action.ts';
import { resultRefusal, type ResultRefusal } from '../../model/result-refusal.ts';
import type { RunTree } from '../../model/run-tree.ts';
import type { WorkspaceChoice } from '../changes/workspace-choices.ts';
import { asMerge, type ShownConflict, type MergeEnd } from './answers.ts';
import { RefusalChoice } from './refusal-choice.tsx';
import type { SteeringState } from './use-steering.ts';

interface Taking {
  readonly refusal: ResultRefusal | null;
  readonly target: MergeTarget;
  /** Another check has to pass first. */
  readonly isChecked: boolean;
}

/** Files that were refused are taken only when the user says so, which leaves the check out, or when another check passes. */
export function useTaking({ refusal, target, isChecked }: Taking): {
  readonly allow: readonly ('unverified' | 'conflicts')[];
  readonly reason: string | null;
  readonly choice: ReactNode;
} {
  const [isTaken, setTaken] = useState(false);
  if (refusal === null) return { allow: [], reason: null, choice: null };
  const choice = <RefusalChoice refusal={refusal} isTaken={isTaken} onTake={setTaken} />;
  if (refusal.code === 'RESULT_IN_CONFLICT')
    return { allow: isTaken ? ['conflicts'] : [], reason: conflictReason(isTaken, target), choice };
  if (isTaken) return { allow: ['unverified'], reason: null, choice };
  const reason = isChecked ? null : 'Give another check, or take the result although it is not verified.';
  return { allow: [], reason, choice };
}

function conflictReason(isTaken: boolean, { kind }: MergeTarget): string | null {
  if (kind === 'apply') return 'Files with open conflicts go to a branch or a patch only.';
  return isTaken ? null : 'Choose to take both sides with their markers.';
}

interface Ended {
  readonly conflicts: readonly ShownConflict[] | null;
  readonly refusal: ResultRefusal | null;
  readonly came: MergeEnd | null;
}

/** Conflicts and a failed check are no end: the user goes on from there. */
export function takingEnd(state: SteeringState, recorded: ResultRefusal | null): Ended {
  const answer = state.kind === 'done' ? asMerge(state.answer) : null;
  const none = { conflicts: null, refusal: null, came: null };
  if (answer?.kind === 'result.conflict') return { ...none, refusal: recorded, conflicts: answer.conflicts };
  if (answer?.kind === 'result.not-verified') {
    const why = `The merged files did not pass \`${answer.command}\`. ${answer.reason} Nothing was changed.`;
    return { ...none, refusal: { code: 'RESULT_NOT_VERIFIED', why, printed: lastLines(answer.output) } };
  }
  if (state.kind === 'refused' && isRefusedResult(state.code))
    return { ...none, refusal: { printed: '', ...recorded, code: state.code, why: state.message } };
  return { ...none, refusal: recorded, came: answer };
}

/** It is said beside the choice. */
export const withoutRefusal = (state: SteeringState): SteeringState =>
  state.kind === 'refused' && isRefusedResult(state.code) ? { kind: 'open' } : state;

export function refusalIn(tree: RunTree, chosen: WorkspaceChoice | null): ResultRefusal | null {
  const snapshot = tree.runs.get(tree.root)?.snapshot;
  if (snapshot === undefined || chosen === null) return null;
  const agents = chosen.agents.map(({ agent }) => agent);
  return resultRefusal(snapshot, { workspace: chosen.workspace, files: chosen.files, agents });
}

export const isSameRefusal = (a: ResultRefusal | null, b: ResultRefusal | null): boolean =>
  a?.code === b?.code && a?.why === b?.why && a?.printed === b?.printed;
