import { counted } from '../../protocol/amounts.ts';
import type { Paint, Style } from '../terminal/colour.ts';
import type { ChangeView } from '../../host/deliver/change-view.ts';
import { plainText } from '../../protocol/plain-text.ts';
import type { Shown } from '../../protocol/operations/views.ts';
import type { NotComparedFiles } from '../../protocol/web/changes-page.ts';
import type { WhyNotCompared } from '../../workspace/changes/branch-changes.ts';
import { filesByReason } from './left-out.ts';

const MARKS: Readonly<Record<ChangeView['change'], readonly [string, Style]>> = {
  added: ['A', 'green'],
  deleted: ['D', 'red'],
  modified: ['M', 'yellow'],
  mode: ['m', 'yellow'],
  type: ['T', 'yellow'],
};

/** A line for each change: `M  src/a.ts  +3 -1`. */
export function changeLines(changes: readonly ChangeView[], paint: Paint, most = Infinity): readonly string[] {
  const lines = changes.slice(0, most).map((change) => changeLine(change, paint));
  return changes.length <= most ? lines : [...lines, `…  and ${changes.length - most} more`];
}

function changeLine(change: ChangeView, paint: Paint): string {
  const [mark, style] = MARKS[change.change];
  const name = change.kind === 'folder' ? `${change.path}/` : change.path;
  return [`${paint(style, mark)}  ${name}`, ...remarks(change, paint)].join('  ');
}

function remarks({ kind, added = 0, removed = 0, isBinary, mode }: ChangeView, paint: Paint): readonly string[] {
  return [
    ...(added > 0 || removed > 0 ? [`${paint('green', `+${added}`)} ${paint('red', `-${removed}`)}`] : []),
    ...(isBinary === true ? ['binary'] : []),
    ...(kind === 'link' ? ['link'] : []),
    ...(kind === 'unkept' ? ['content not stored'] : []),
    ...(mode === undefined ? [] : [`mode ${mode[0]} → ${mode[1]}`]),
  ];
}

/** `2 files changed, 5 lines added, 1 removed`. */
export function changeSummary(changes: readonly ChangeView[]): string {
  const sum = (pick: (change: ChangeView) => number | undefined): number =>
    changes.reduce((total, change) => total + (pick(change) ?? 0), 0);
  const [added, removed] = [sum((change) => change.added), sum((change) => change.removed)];
  return `${counted(changes.length, 'file')} changed, ${counted(added, 'line')} added, ${removed} removed`;
}

/**
 * A patch for the eyes: coloured, and with every character that would move a cursor, turn the direction of writing or be
 * invisible written out. For programs the bytes are handed on as they are instead.
 */
export function patchText(patch: Buffer, paint: Paint): string {
  const lines = patch.toString('utf8').split('\n');
  const state = { inHeader: false };
  return lines.map((line) => patchLine(line, paint, state)).join('\n');
}

function patchLine(line: string, paint: Paint, state: { inHeader: boolean }): string {
  if (line.startsWith('diff --git ')) state.inHeader = true;
  else if (line.startsWith('@@ ') || line.startsWith('GIT binary patch')) state.inHeader = false;
  const style = state.inHeader ? 'bold' : LINE_STYLES[line[0] ?? ''];
  const text = visible(line);
  return style === undefined || text === '' ? text : paint(style, text);
}

const LINE_STYLES: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' };

/** Shown rather than left out: a reviewer has to see that it is there. */
const visible = (line: string): string => line.replaceAll(HIDDEN, (character) => `<${codeOf(character)}>`);

/** Controls but the tab; direction marks, zero-width and tag characters; line ends of other alphabets. */
const HIDDEN = /(?!\t)[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A line for each, and a sentence where there is none. */
export function branchLines({ items }: Shown<'branches'>): string {
  return items.map(({ name, isCurrent }) => `${isCurrent === true ? '*' : ' '} ${plainText(name)}\n`).join('');
}

export function noBranchesText({ isGit }: Shown<'branches'>): string {
  return isGit
    ? 'The repository has no branch yet: nothing was committed.\n'
    : 'The project is in no git repository, so there is no branch to compare with. See: troupe diff RUN --project\n';
}

/** `Not compared: 2 that the project ignores: a, b; 1 in a repository inside the project: sub/c`. */
export const notComparedLine = (files: NotComparedFiles): string =>
  `Not compared: ${filesByReason(files, (why) => WORDS[why])}`;

const WORDS: Readonly<Record<WhyNotCompared, string>> = {
  ignored: 'that the project ignores',
  'left-out': 'that no workspace holds',
  sparse: 'that are not checked out',
  submodule: 'of repositories inside the project',
  filter: 'that an outside program converts for git',
  missing: 'that this clone does not have, or that are too large',
};
