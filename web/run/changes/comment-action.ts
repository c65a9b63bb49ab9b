import type { Action } from '../../../src/protocol/web/action.ts';
import { forkPointOf, lastTurnOf, type ForkPoint } from '../../model/fork-points.ts';
import type { RunTree } from '../../model/run-tree.ts';
import type { NotePlace } from './line-note.ts';
import type { WorkspaceAgent } from './workspace-choices.ts';

export interface CommentPlace extends NotePlace {
  /** The line itself, where it is known. */
  readonly code: string | null;
}

/** What a comment becomes: words to the agent while its run goes on; after that a fork in which it hears them. */
export interface CommentAction {
  readonly action: Action;
  /** In words, before anybody presses anything. */
  readonly what: string;
}

export function commentAction(tree: RunTree, { run, agent }: WorkspaceAgent, text: string): CommentAction | null {
  if (tree.runs.get(run)?.snapshot.result === null) {
    return {
      action: { kind: 'tell', run, agent, text },
      what: `${agent} hears it before it goes on, at the latest in its next turn. Nothing is stopped.`,
    };
  }
  const point = lastTurnOf(tree, agent) ?? forkPointOf(tree, {});
  return point === null
    ? null
    : { action: forkTelling(tree.root, point, { agent, text }), what: forkWords(agent, point) };
}

const forkTelling = (
  run: string,
  { at }: ForkPoint,
  tell: { readonly agent: string; readonly text: string },
): Action => ({
  kind: 'fork',
  run,
  at,
  tell: [tell],
});

const forkWords = (agent: string, { name }: ForkPoint): string =>
  `This run is over, so a new one begins as it was at ${name}, the last step of ${agent}, and ${agent} is told this first. All after that step is done again there; this run stays as it is.`;

/** The place, the line itself, and the comment: so that whoever reads it need not look for what is meant. */
export function commentText(place: CommentPlace, comment: string): string {
  const { line, code } = place;
  return [`About ${whereText(place)}:`, ...(code === null || line === 0 ? [] : [`> ${code}`]), '', comment.trim()].join(
    '\n',
  );
}

/** A line that is not there any more has a number only in what was before. */
function whereText({ path, line, side }: CommentPlace): string {
  if (line === 0) return path;
  return side === 'old' ? `${path}, a line that was removed (line ${line} before)` : `${path}, line ${line}`;
}
