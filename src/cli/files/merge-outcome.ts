import { unreachable } from '../../core/fault.ts';
import { EXIT } from '../exit-code.ts';
import { counted } from '../terminal/amounts.ts';
import type { Paint } from '../terminal/colour.ts';
import { plainText } from '../terminal/plain-text.ts';
import { changeLines } from './change-lines.ts';
import type { ChangeView } from './change-view.ts';
import { conflictLines, type ConflictView } from './conflict-view.ts';

export type MergeTarget =
  | { readonly kind: 'branch'; readonly name: string }
  /** `isOwn`: a file of Troupe's own, which may be written again. */
  | { readonly kind: 'patch'; readonly file: string; readonly isOwn: boolean }
  | { readonly kind: 'apply' };

/** What became of bringing a run's files to the user; a line of `--json`. */
export type MergeOutcome =
  /** There is nothing to bring, or it is there already. */
  | { readonly kind: 'merge.unchanged'; readonly run: string }
  | {
      readonly kind: 'merge.branch';
      readonly run: string;
      readonly branch: string;
      readonly commit: string;
      readonly changes: readonly ChangeView[];
      readonly leftOut: readonly Told[];
    }
  | {
      readonly kind: 'merge.patch';
      readonly run: string;
      readonly file: string;
      readonly changes: readonly ChangeView[];
      readonly beyondPatch: readonly ChangeView[];
    }
  | {
      readonly kind: 'merge.applied';
      readonly run: string;
      readonly project: string;
      readonly changes: readonly ChangeView[];
      readonly cautions: readonly Told[];
      /** The record to roll back to. */
      readonly undoTo: number;
    }
  | {
      readonly kind: 'merge.conflict';
      readonly run: string;
      /** The user's files as they are, or the commit that is checked out. */
      readonly against: 'project' | 'commit';
      readonly conflicts: readonly ConflictView[];
    }
  | {
      readonly kind: 'merge.not-verified';
      readonly run: string;
      readonly command: string;
      readonly exitCode: number | null;
      readonly reason: string;
      readonly output: string;
      /** Where the merged files are, for a look. */
      readonly folder: string;
    };

interface Told {
  readonly path: string;
  readonly why: string;
}

export function mergeExitCode({ kind }: MergeOutcome): number {
  if (kind === 'merge.conflict') return EXIT.waits;
  return kind === 'merge.not-verified' ? EXIT.failed : EXIT.ok;
}

const MOST = 20;

/** The outcome in people's words, with the command that goes on from there. */
export function mergeLines(outcome: MergeOutcome, paint: Paint): readonly string[] {
  switch (outcome.kind) {
    case 'merge.unchanged':
      return ['Nothing to merge: the run changed no file, or its changes are there already.'];
    case 'merge.branch':
      return [
        ...changeLines(outcome.changes, paint, MOST),
        ...toldLines(outcome.leftOut),
        `${waiting(outcome.changes)} on the branch ${outcome.branch}.`,
        `  look:  git diff HEAD...${outcome.branch}`,
        `  take:  git merge ${outcome.branch}   or   troupe merge ${outcome.run} --apply`,
      ];
    case 'merge.patch':
      return [
        ...changeLines(outcome.changes, paint, MOST),
        ...beyondLines(outcome.beyondPatch, paint),
        `${waiting(outcome.changes)} in the patch ${outcome.file}`,
        `  take:  troupe merge ${outcome.run} --apply`,
      ];
    case 'merge.applied':
      return [
        ...changeLines(outcome.changes, paint, MOST),
        ...toldLines(outcome.cautions),
        `${counted(outcome.changes.length, 'file')} changed in ${outcome.project}`,
        `  undo:  troupe rollback ${outcome.run} --to ${outcome.undoTo} --files`,
      ];
    case 'merge.conflict':
      return conflictText(outcome);
    case 'merge.not-verified':
      return [
        plainText(outcome.output).trimEnd(),
        `Nothing was changed: the merged files do not pass \`${plainText(outcome.command)}\`. ${outcome.reason}`,
        `  look:  ${outcome.folder}`,
      ];
    default:
      return unreachable(outcome);
  }
}

const waiting = ({ length }: readonly ChangeView[]): string =>
  `${counted(length, 'file')} ${length === 1 ? 'waits' : 'wait'}`;

const toldLines = (told: readonly Told[]): readonly string[] =>
  told.slice(0, MOST).map(({ path, why }) => `note: ${path}: ${REASONS[why] ?? why}`);

const REASONS: Readonly<Record<string, string>> = { 'link-leads-out': 'a link that leads out of the project' };

const beyondLines = (changes: readonly ChangeView[], paint: Paint): readonly string[] =>
  changes.length === 0
    ? []
    : ['A patch cannot tell all of this:', ...changeLines(changes, paint, MOST).map((line) => `  ${line}`)];

function conflictText({ run, against, conflicts }: Extract<MergeOutcome, { readonly kind: 'merge.conflict' }>) {
  const lines = conflicts.slice(0, MOST).flatMap(conflictLines);
  const more = conflicts.length > MOST ? [`… and ${conflicts.length - MOST} more`] : [];
  const ways =
    against === 'commit'
      ? [`  take it as it is:  troupe merge ${run} --apply`, `  or as a patch:     troupe diff ${run} > changes.patch`]
      : [`  see what it did:   troupe diff ${run}`, `  let git merge it:  troupe merge ${run} --branch troupe/${run}`];
  return [...lines, ...more, `Nothing was changed: ${counted(conflicts.length, 'conflict')}.`, ...ways];
}
