import { shownPath } from '../../../lib/confined-path.ts';
import type { PackCut, CutDiff } from './cut-pack.ts';
import type { FileDiff } from '../../../host/perform/files/file-diffs.ts';
import type { CommandEvidence } from '../rules/review-state.ts';
import { outputTail } from './run-thrown-away.ts';

/** One implementation as reviewers see it. */
export interface PackedImplementation extends CutDiff {
  readonly id: string;
  readonly evidence: CommandEvidence | null;
  readonly files: readonly FileDiff[];
}

export interface PackWords {
  readonly task: string;
  /** After a revision: only what changed since is shown. */
  readonly isRevision: boolean;
}

/** The task, and for each implementation its evidence, its changed files and its real diff (PD2). Lists omissions. */
export function packText(packed: readonly PackedImplementation[], { task, isRevision }: PackWords): string {
  const folders = packed.map(({ id }) => `${id}/`).join(', ');
  const intro = isRevision
    ? `These implementations were revised. The diffs below show what changed since you last saw them. All files as they are now are in your workspace, in ${folders}.`
    : `${packed.length === 1 ? 'There is one implementation' : `There are ${packed.length} implementations`}. All files of each are in your workspace, in ${folders}. Name files as the implementation does, without that folder.`;
  return [`# The task\n\n${task}`, intro, ...packed.map((one) => implementationText(one, isRevision))].join('\n\n');
}

function implementationText(one: PackedImplementation, isRevision: boolean): string {
  const { id, evidence, files, shown } = one;
  const diffs = files.flatMap(({ path }) => shown.get(path) ?? []).filter((text) => text !== '');
  return [
    `# Implementation ${id}`,
    evidenceText(evidence),
    changesText(files, isRevision),
    ...(diffs.length === 0 ? [] : [diffs.join('').trimEnd()]),
    ...cutText(one),
  ].join('\n\n');
}

export function evidenceText(evidence: CommandEvidence | null): string {
  if (evidence === null) return 'Evidence: the engine ran no command on it.';
  const { command, isGreen, output } = evidence;
  const what = command === undefined ? 'The command' : `\`${command}\``;
  const lines = [`Evidence: ${what}, run by the engine, is ${isGreen ? 'green' : 'RED'} (${endText(evidence)}).`];
  lines.push(...tamperedText(evidence));
  const tail = outputTail(output.trimEnd(), isGreen ? GREEN_CHARS : RED_CHARS);
  if (tail !== '') lines.push('It ended with:', tail.replaceAll(/^/gm, '    '));
  return lines.join('\n');
}

function endText({ exitCode, passed, failed, problem }: CommandEvidence): string {
  const end = typeof exitCode === 'number' ? `exit code ${exitCode}` : (problem ?? 'no exit code');
  return typeof passed === 'number'
    ? `${end}, ${passed} ${passed === 1 ? 'test' : 'tests'} passed, ${failed ?? 0} failed`
    : end;
}

const GREEN_CHARS = 400;
const RED_CHARS = 3000;

function tamperedText({ tampered, extended = [] }: CommandEvidence): readonly string[] {
  const named = tampered.slice(0, MOST_NAMED).map(({ path, how }) => `${shownPath(path)} (${how})`);
  const more = tampered.length > MOST_NAMED ? ` and ${tampered.length - MOST_NAMED} more` : '';
  const own = 'The command ran with the user’s own copies.';
  return [
    ...(tampered.length === 0
      ? []
      : [`It TAMPERED with files that the command depends on: ${named.join(', ')}${more}. ${own}`]),
    ...(extended.length === 0
      ? []
      : [`It added lines to existing tests, which did not run: ${extended.slice(0, MOST_NAMED).join(', ')}.`]),
  ];
}

const MOST_NAMED = 20;

function changesText(files: readonly FileDiff[], isRevision: boolean): string {
  if (files.length === 0) {
    return isRevision ? 'NOTHING was changed since.' : 'It is EMPTY: no file was changed.';
  }
  const sum = (of: (file: FileDiff) => number): number => files.reduce((total, file) => total + of(file), 0);
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}, +${sum(({ added }) => added)} -${sum(({ removed }) => removed)}`;
  const list = files.slice(0, MOST_LISTED).map((file) => `  ${shownPath(file.path)} ${sizeText(file)}`);
  const more = files.length > MOST_LISTED ? [`  … and ${files.length - MOST_LISTED} more`] : [];
  return [`Changed${isRevision ? ' since the last review' : ' since it began'} (${count}):`, ...list, ...more].join(
    '\n',
  );
}

const MOST_LISTED = 300;

function sizeText({ how, added, removed, isBinary, bytes }: FileDiff): string {
  const word = how === 'changed' ? '' : `, ${how}`;
  return isBinary ? `(${bytes} bytes, not shown${word})` : `+${added} -${removed}${word}`;
}

function cutText({ id, cut }: PackedImplementation): readonly string[] {
  if (cut.length === 0) return [];
  const lines = cut.slice(0, MOST_LISTED).map((one) => `  ${cutLine(one)}`);
  const more = cut.length > MOST_LISTED ? [`  … and ${cut.length - MOST_LISTED} more`] : [];
  return [[`Left out here; read it in ${id}/:`, ...lines, ...more].join('\n')];
}

const cutLine = ({ path, shownChars, ofChars }: PackCut): string =>
  shownChars === 0
    ? `${shownPath(path)}: the whole diff (${ofChars} characters)`
    : `${shownPath(path)}: all but the first ${shownChars} of ${ofChars} characters`;
