import { unreachable } from '../../core/model/fault.ts';
import { counted } from '../../protocol/amounts.ts';
import type { Paint } from '../terminal/colour.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';
import { quotedWord } from '../../protocol/quoted-words.ts';
import { changeLines } from './change-lines.ts';
import type { ChangeView } from '../../host/deliver/change-view.ts';
import { type ConflictView, isChoice } from '../../host/deliver/conflict-view.ts';
import { whyLeftOut } from './left-out.ts';
import type {
  MergeBranch,
  MergeConflict,
  MergeNotVerified,
  MergeOutcome,
  MergePatch,
  MergeReport,
} from '../../host/deliver/merge-outcome.ts';
import type { Json } from '../../core/model/json.ts';
import { CONFLICT_WORDS, sideText } from '../../protocol/conflict-words.ts';

/** A conflict in people's words, then what either side made of it. */
function conflictLines({ path, kind, base, ours, theirs }: ConflictView): readonly string[] {
  const head = `conflict  ${path}: ${CONFLICT_WORDS[kind] ?? kind}`;
  return [head, ...sideLines('yours', ours, base), ...sideLines('run', theirs, base)];
}

/** The same for what could not be taken out of the project again: the run's change is the beginning of both then. */
export function keptLines({ path, kind, base, ours }: ConflictView): readonly string[] {
  return [`kept      ${path}: ${KEPT_WORDS[kind] ?? CONFLICT_WORDS[kind] ?? kind}`, ...sideLines('yours', ours, base)];
}

const KEPT_WORDS: Readonly<Record<string, string>> = {
  content: 'you changed lines that the run had changed',
  'both-added': 'the run had removed it, and you created it again',
  'deleted-by-us': 'you deleted it, and the run had changed it',
  'deleted-by-them': 'the run had made it, and you changed it',
  mode: 'you changed its mode, and so had the run',
  link: 'you made the link lead elsewhere, and so had the run',
  binary: 'you changed it, and so had the run',
};

const MOST_LINES = 6;

/** The lines that this side has and the beginning had not. */
function sideLines(label: string, side: Json | undefined, base: Json | undefined): readonly string[] {
  const text = sideText(side);
  if (text === null) return [];
  const known = new Set(sideText(base)?.split('\n'));
  const own = text.split('\n').filter((line) => !known.has(line));
  const shown = own.slice(0, MOST_LINES).map((line) => `    ${label.padEnd(5)} | ${oneLine(line, 100)}`);
  return own.length > MOST_LINES ? [...shown, `    ${label.padEnd(5)} | … ${own.length - MOST_LINES} more`] : shown;
}

export interface MergeTextOptions {
  readonly paint: Paint;
  /** The run as commands name it, with the agent or the workspace that is meant: `7k2m --agent coder`. */
  readonly named: string;
  /** A branch can be made from where the run began; elsewhere a patch is the way. */
  readonly hasBranch: boolean;
  /** The branch that is this result's own. */
  readonly branch: string;
  /** The command that the merged files were to pass. */
  readonly verify: string | null;
}

const MOST = 20;

/** The outcome in people's words, with the commands that continue from there: only those that work. */
export function mergeLines(outcome: MergeOutcome, options: MergeTextOptions): readonly string[] {
  const { unverified } = outcome;
  if (unverified === undefined)
    return [...steeringLines(outcome, options), ...checkLines(outcome), ...endLines(outcome, options)];
  // Whatever takes these files needs the word once more.
  const again = { ...options, named: `${options.named} --unverified` };
  return [
    `NOT VERIFIED: ${plainText(unverified)}`,
    ...steeringLines(outcome, again),
    ...checkLines(outcome),
    ...endLines(outcome, again),
  ];
}

/** A check that did not pass has its own text. */
function checkLines({ kind, check }: MergeOutcome): readonly string[] {
  if (check === undefined || kind === 'result.not-verified' || kind === 'result.conflict') return [];
  return [`The merged files pass \`${plainText(check.command)}\`.`];
}

/** Files that steer the user's programs come first. */
function steeringLines({ steering = [], held = [] }: MergeOutcome, { named }: MergeTextOptions): readonly string[] {
  if (steering.length === 0) return [];
  const lines = steering.slice(0, MOST).map(({ path, why }) => `  ${plainText(path)}: ${why}`);
  const more = steering.length > MOST ? [`  … and ${steering.length - MOST} more`] : [];
  if (held.length === 0)
    return ['These files steer your programs; look at them before you use them:', ...lines, ...more];
  return [
    'These files steer your programs and were not applied:',
    ...lines,
    ...more,
    `  look:  troupe diff ${named}`,
    `  take:  troupe deliver ${named} --apply --allow-steering`,
  ];
}

function endLines(outcome: MergeOutcome, options: MergeTextOptions): readonly string[] {
  const { paint, named } = options;
  switch (outcome.kind) {
    case 'result.unchanged':
      return [
        ...reportLines(outcome.leftOut),
        `Nothing to ${outcome.target === 'apply' ? 'apply' : 'merge'}: the run changed no file, or its changes are there already.`,
      ];
    case 'result.branch':
      return branchLines(outcome, options);
    case 'result.patch':
      return patchLines(outcome, options);
    case 'result.applied':
      return [
        ...changeLines(outcome.changes, paint, MOST),
        ...reportLines(outcome.cautions),
        ...reportLines(outcome.leftOut),
        `${counted(outcome.changes.length, 'file')} changed in ${outcome.project}`,
        `  undo:  troupe rollback ${outcome.run} --to ${outcome.undoTo} --files`,
      ];
    case 'result.conflict':
      return conflictText(outcome, options);
    case 'result.not-verified':
      return notVerifiedText(outcome, named);
    default:
      return unreachable(outcome);
  }
}

function branchLines(outcome: MergeBranch, options: MergeTextOptions): readonly string[] {
  const { paint, named } = options;
  const { branch, conflicts, uncommitted, changes } = outcome;
  const look = `git diff HEAD...${branch}`;
  const lines = [
    ...changeLines(changes, paint, MOST),
    ...reportLines(outcome.leftOut),
    ...conflictsText(conflicts),
    ...reportLines(uncommitted.map((path) => ({ path, why: 'uncommitted' }))),
    `${waiting(changes)} on the branch ${branch}${conflicts.length === 0 ? '.' : `, in ${counted(conflicts.length, 'conflict')} with what you have now.`}`,
  ];
  if (conflicts.length > 0) {
    const take = uncommitted.length > 0 ? 'commit your work, then   git cherry-pick' : 'git merge';
    return [
      ...lines,
      `  look:     ${look}`,
      `  take:     ${take} ${branch}   (git asks about the conflicts)`,
      ...choiceLines(conflicts, options),
    ];
  }
  const patch = `  patch: troupe deliver ${named} --patch FILE`;
  if (uncommitted.length === 0) {
    return [...lines, `  look:  ${look}`, `  take:  git merge ${branch}   or   troupe deliver ${named} --apply`, patch];
  }
  return [
    ...lines,
    `  look:  git show ${branch}`,
    `  take:  troupe deliver ${named} --apply   or commit your work, then   git cherry-pick ${branch}`,
    patch,
  ];
}

function patchLines(outcome: MergePatch, options: MergeTextOptions): readonly string[] {
  const { paint, named } = options;
  const { conflicts, changes, file } = outcome;
  const lines = [
    ...changeLines(changes, paint, MOST),
    ...beyondLines(outcome.beyondPatch, paint),
    ...reportLines(outcome.leftOut),
    ...conflictsText(conflicts),
    `${waiting(changes)} in the patch ${file}${conflicts.length === 0 ? '' : `, in ${counted(conflicts.length, 'conflict')} with what you have now`}`,
  ];
  if (conflicts.length === 0) return [...lines, `  take:  troupe deliver ${named} --apply`];
  return [
    ...lines,
    `  take:     git apply --reject ${quotedWord(file)}   (what does not fit is left in *.rej)`,
    ...choiceLines(conflicts, options),
  ];
}

function conflictText({ conflicts, against }: MergeConflict, options: MergeTextOptions): readonly string[] {
  const { named, hasBranch, branch, verify } = options;
  const git = `  with git: troupe deliver ${named} --branch ${branch}, then commit your work and git merge ${branch}`;
  const byHand = `  by hand:  troupe deliver ${named} --patch changes.patch, then git apply --reject changes.patch`;
  const direct = `  take:     troupe deliver ${named} --apply`;
  const ways = against === 'commit' ? [direct, byHand] : [...choiceLines(conflicts, options), hasBranch ? git : byHand];
  return [
    ...conflictsText(conflicts),
    `Nothing was changed: ${counted(conflicts.length, 'conflict')}${verify === null ? '' : `, so \`${plainText(verify)}\` could not be tried`}.`,
    `  look:     troupe diff ${named}`,
    ...ways,
  ];
}

/** The ways out that need no other program, where a side can be chosen. What was to be checked still is. */
function choiceLines(conflicts: readonly ConflictView[], { named, verify }: MergeTextOptions): readonly string[] {
  const choices = conflicts.filter(isChoice);
  const [first] = choices;
  if (first === undefined) return [];
  const example = choices.length === 1 ? quotedWord(first.path) : 'PATH';
  const checked = verify === null ? '' : ` --verify ${quotedWord(verify)}`;
  return [
    `  yours:    troupe deliver ${named} --apply --ours ${example}${checked}`,
    `  the run:  troupe deliver ${named} --apply --theirs ${example}${checked}   (PATH may be a folder, or . for all)`,
  ];
}

function notVerifiedText({ command, reason, folder, output }: MergeNotVerified, named: string): readonly string[] {
  return [
    plainText(output).trimEnd(),
    `Nothing was changed: the merged files do not pass \`${plainText(command)}\`. ${reason}`,
    `  look:                  ${folder}`,
    `  take it marked:        troupe deliver ${named} --unverified`,
  ];
}

function conflictsText(conflicts: readonly ConflictView[]): readonly string[] {
  const lines = conflicts.slice(0, MOST).flatMap((conflict) => conflictLines(conflict));
  return conflicts.length > MOST ? [...lines, `… and ${conflicts.length - MOST} more`] : lines;
}

const waiting = ({ length }: readonly ChangeView[]): string =>
  `${counted(length, 'file')} ${length === 1 ? 'waits' : 'wait'}`;

/** Files that are left out or changed on the way. */
export const reportLines = (reports: readonly MergeReport[] = []): readonly string[] =>
  reports.slice(0, MOST).map(({ path, why }) => `note: ${path}: ${REASONS[why] ?? whyLeftOut(why)}`);

const REASONS: Readonly<Record<string, string>> = {
  'link-leads-out': 'a link that leads out of the project',
  uncommitted: 'the run continued with work that you have not committed; the branch has it in a commit before the last',
};

const beyondLines = (changes: readonly ChangeView[], paint: Paint): readonly string[] =>
  changes.length === 0
    ? []
    : ['A patch cannot hold all of this:', ...changeLines(changes, paint, MOST).map((line) => `  ${line}`)];
