import type { ResultState } from '../core/look/result-state.ts';
import type { Snapshot } from '../core/fold/snapshot.ts';
import { MAIN_WORKSPACE } from '../core/model/workspace-name.ts';

/** A command that works for a result in its present state, and what it is for. */
export interface ResultHint {
  readonly label: 'look' | 'check' | 'take' | 'yours' | 'the run' | 'patch' | 'deliver' | 'finish' | 'undo';
  readonly command: string;
}

export interface HintFacts {
  readonly run: string;
  /** The run as commands name it, with the agent or the workspace that is meant: `7k2m --agent coder`. */
  readonly named: string;
  readonly result: ResultState;
  readonly handed: Snapshot['handed'];
  readonly projectChange: Snapshot['projectChange'];
  /** The run still owes its delivery: `resume` carries it out. */
  readonly isOwed: boolean;
}

/** Next steps for a result: the same in every interface, and only commands that its state allows. */
export const resultHints = (facts: HintFacts): readonly ResultHint[] => HINTS[facts.result.kind](facts);

/** A run owes the files of its main workspace, whatever was handed over of another. */
export const hintedWorkspace = (handed: { readonly workspace: string } | null | undefined, isOwed: boolean): string =>
  isOwed ? MAIN_WORKSPACE : (handed?.workspace ?? MAIN_WORKSPACE);

type Hints = (facts: HintFacts) => readonly ResultHint[];

const look = ({ named }: HintFacts): ResultHint => ({ label: 'look', command: `troupe diff ${named}` });

const HINTS: Readonly<Record<ResultState['kind'], Hints>> = {
  'not-verified': (facts) => [
    look(facts),
    { label: 'check', command: `troupe deliver ${facts.named} --verify COMMAND` },
    { label: 'take', command: `troupe deliver ${facts.named} --unverified` },
  ],
  unresolved: (facts) => [look(facts), { label: 'take', command: `troupe deliver ${facts.named} --with-conflicts` }],
  conflict: (facts) => [look(facts), ...inConflict(facts)],
  unapproved: (facts) => [look(facts), { label: 'take', command: `troupe deliver ${facts.named} --apply` }],
  undelivered: ({ run }) => [{ label: 'deliver', command: `troupe resume ${run}` }],
  'half-applied': (facts) => halfApplied(facts),
  branch: (facts) => handedOver(facts),
  patch: (facts) => handedOver(facts),
  waiting: (facts) => [look(facts)],
  ready: (facts) => [look(facts), ...deliverAgain(facts)],
  none: () => [],
  applied: () => [],
  merged: () => [],
  'branch-gone': (facts) => deliverAgain(facts),
  'patch-gone': (facts) => deliverAgain(facts),
  discarded: ({ run }) => [{ label: 'undo', command: `troupe discard ${run} --undo` }],
  held: (facts) => [
    look(facts),
    { label: 'take', command: `troupe deliver ${facts.named} --apply --allow-steering${markOf(facts)}` },
  ],
};

const deliverAgain: Hints = ({ named }) => [{ label: 'deliver', command: `troupe deliver ${named}` }];

const handedOver: Hints = (facts) =>
  facts.handed?.conflicts === undefined
    ? [{ label: 'take', command: `troupe deliver ${facts.named} --apply${markOf(facts)}` }]
    : [look(facts), ...inConflict(facts)];

/** Files that are not verified need the word each time. */
const markOf = ({ handed }: HintFacts): string =>
  handed?.unverified !== undefined || handed?.how === 'not-verified' ? ' --unverified' : '';

function inConflict(facts: HintFacts): readonly ResultHint[] {
  const merge = `troupe deliver ${facts.named}${markOf(facts)}`;
  const choices: readonly ResultHint[] = [
    { label: 'yours', command: `${merge} --apply --ours .` },
    { label: 'the run', command: `${merge} --apply --theirs .` },
  ];
  return [
    ...(facts.handed?.canChoose === true ? choices : []),
    { label: 'patch', command: `${merge} --patch changes.patch` },
  ];
}

/** An apply is finished or undone, as the user likes. */
function halfApplied(facts: HintFacts): readonly ResultHint[] {
  const { run, named, projectChange, isOwed } = facts;
  const finish = isOwed ? `troupe resume ${run}` : `troupe deliver ${named} --apply${markOf(facts)}`;
  const to = (projectChange?.seq ?? 1) - 1;
  return [
    { label: 'finish', command: finish },
    { label: 'undo', command: `troupe rollback ${run} --to ${to} --files` },
  ];
}
