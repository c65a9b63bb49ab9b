import { MAIN_WORKSPACE } from '../../../src/core/model/workspace-name.ts';
import type { ReviewFinding } from '../../../src/formats/review/rules/finding.ts';
import { reviewStateIn } from '../../../src/formats/review/views/review-state-in.ts';
import type { RunTree } from '../../model/run-tree.ts';
import { type DiffFile, isPicture, isShown } from '../../run/changes/diff-files.ts';
import type { WorkspaceChoice } from '../../run/changes/workspace-choices.ts';

/** Runs of one tree call their findings alike: which one it is, its run says. */
export interface RunFinding {
  readonly run: string;
  readonly finding: ReviewFinding;
}

/**
 * The findings on the files of a workspace: about its agents' work, and about all. The merged files are the work of the chosen
 * agent.
 */
export function findingsOf(tree: RunTree, { workspace, agents }: WorkspaceChoice): readonly RunFinding[] {
  return [...tree.runs.values()].flatMap(({ run, snapshot }) => {
    const state = reviewStateIn(snapshot.data);
    if (state === null) return [];
    const best = workspace === MAIN_WORKSPACE ? (state.decision?.best ?? null) : null;
    const names = new Set([...agents.map(({ agent }) => agent), ...(best === null ? [] : [best])]);
    return state.ledger.findings
      .filter(({ implementation }) => implementation === null || names.has(implementation))
      .map((finding) => ({ run, finding }));
  });
}

export interface PlacedFinding extends RunFinding {
  /** 0: about the file as a whole, or about a line that the patch does not show. */
  readonly line: number;
}

interface PlacedFindings {
  readonly byPath: ReadonlyMap<string, readonly PlacedFinding[]>;
  /** About no file of this patch. */
  readonly elsewhere: readonly RunFinding[];
}

export function placeFindings(findings: readonly RunFinding[], files: readonly DiffFile[]): PlacedFindings {
  const byPath = new Map<string, PlacedFinding[]>();
  const elsewhere: RunFinding[] = [];
  for (const { run, finding } of findings) {
    const file = files.find(({ path }) => path === finding.file);
    if (file === undefined) elsewhere.push({ run, finding });
    else {
      const line = finding.line !== null && isShown(file, finding.line) ? finding.line : 0;
      byPath.set(file.path, [...(byPath.get(file.path) ?? []), { run, finding, line }]);
    }
  }
  return { byPath, elsewhere };
}

export const areSameFindings = (a: readonly RunFinding[], b: readonly RunFinding[]): boolean =>
  a.length === b.length && a.every(({ run, finding }, at) => run === b[at]?.run && finding === b[at].finding);

/** Which version of a file: `old` is what it was compared with. */
export type Side = 'new' | 'old';

export interface LinePlace {
  /** 0: above all lines of the file. */
  readonly line: number;
  readonly side: Side;
}

export interface NotePlace extends LinePlace {
  readonly path: string;
}

/** A note under a line of a diff: a finding, a comment being written, or two pictures. */
export type NoteOnLine =
  | { readonly kind: 'finding'; readonly run: string; readonly finding: ReviewFinding }
  | { readonly kind: 'comment' }
  | { readonly kind: 'picture' };

export interface LineNote extends LinePlace {
  readonly note: NoteOnLine;
}

interface Sources {
  readonly placed: PlacedFindings;
  readonly files: readonly DiffFile[];
  /** Where a comment is being written. */
  readonly commented: NotePlace | null;
}

/** The notes of each file, by its path. */
export function notesOnFile({ placed, files, commented }: Sources): ReadonlyMap<string, readonly LineNote[]> {
  const found = files.map(({ path, ...file }): readonly [string, readonly LineNote[]] => [
    path,
    [
      ...(isPicture({ path, ...file }) ? [PICTURE] : []),
      ...(placed.byPath.get(path) ?? []).map(({ run, finding, line }): LineNote => ({
        line,
        side: 'new',
        note: { kind: 'finding', run, finding },
      })),
      ...(commented?.path === path ? [commentAt(commented)] : []),
    ],
  ]);
  return new Map(found.filter(([, notes]) => notes.length > 0));
}

const PICTURE: LineNote = { line: 0, side: 'new', note: { kind: 'picture' } };

const commentAt = ({ line, side }: NotePlace): LineNote => ({ line, side, note: { kind: 'comment' } });
