import type { TaskId, TreeId } from '../../model/ids.ts';
import type { Failure } from '../../model/outcome.ts';

/** A turn that must change files (A7): without a changed file its work is not complete. */
export interface OwedChanges {
  /** The tree that its files are compared with; else the one that its state began with. */
  readonly since?: TreeId;
  /** The structured replies that claim the work is done; all of them, and text alone, where none is named. */
  readonly replies?: readonly string[];
  /** The argument of a structured reply that states that no change is needed. */
  readonly unless?: string;
}

/** The tree that a state began with, recorded before an agent can change it. Later visits are compared with the first. */
export interface ChangesExpected {
  readonly kind: 'changes.expected';
  readonly task: TaskId;
  readonly tree: TreeId;
}

/** A client stated at its desk why no change is needed. Recorded before the client is answered (A8). */
export interface ChangesDeclined {
  readonly kind: 'changes.declined';
  readonly task: TaskId;
  readonly reason: string;
}

/** The turn's tool that states why no change is needed. */
export const NO_CHANGE_TOOL = 'no_change_needed';

/** The first answer without a changed file is sent back; the second ends the turn. */
export const MOST_UNCHANGED = 2;

export const UNCHANGED_TEXT =
  'The engine sees no changed file, apart from outputs that you handed in. Change the files that the task is about, then answer again.';

/** The message to an agent that owes changes and made none, with how to state that none is needed. */
export const unchangedText = ({ unless }: Pick<OwedChanges, 'unless'> = {}): string =>
  unless === undefined
    ? `${UNCHANGED_TEXT} If the task needs no change, call ${NO_CHANGE_TOOL} with the reason first.`
    : `${UNCHANGED_TEXT} If the task needs no change, state that in \`${unless}\` of your reply.`;

export function noChanges(agent: string, state: string): Failure {
  return {
    code: 'NO_CHANGES',
    message: `${agent} changed no file in ${state}, although this step has to change files, and gave no reason.`,
    class: 'logic',
    hint: 'Read in the transcript what the agent did instead, then fork the run from this step with a clearer task.',
  };
}
