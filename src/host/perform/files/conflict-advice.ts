import { shownPath } from '../../../lib/confined-path.ts';
import { SETTLE_CONFLICT } from '../../../tools/engine-tools.ts';
import { othersText, type MergeFacts } from './merge-facts.ts';
import { hasMarks, type Conflict, type ConflictKind } from '../../../workspace/changes/conflict.ts';

const MOST = 50;

/** How the author of a workspace resolves its conflicts. */
export function conflictAdvice(
  conflicts: readonly Conflict[],
  unresolved: readonly string[],
  facts: Pick<MergeFacts, 'others'>,
): string {
  const marked = [...conflicts.filter(({ kind }) => hasMarks(kind)).map(shownConflict), ...unresolved];
  const others = conflicts.filter(({ kind }) => !hasMarks(kind));
  return [
    `Your changes could not be merged: ${othersText(facts)} changed the same parts.`,
    ...(marked.length === 0
      ? []
      : [
          'These files hold both sides between conflict markers (<<<<<<<, >>>>>>>). Edit them until no marker is left:',
        ]),
    ...listed(marked),
    ...(others.length === 0
      ? []
      : [
          `These cannot have markers; your workspace holds your version. For each, call ${SETTLE_CONFLICT} with take "mine" or "other", or change the file:`,
        ]),
    ...listed(others.map((conflict) => `${shownConflict(conflict)}: ${WORDS[conflict.kind]}`)),
  ].join('\n');
}

export const shownConflict = ({ path }: Conflict): string => shownPath(Buffer.from(path, 'latin1'));

function listed(lines: readonly string[]): readonly string[] {
  const more = lines.length > MOST ? [`- and ${lines.length - MOST} more`] : [];
  return [...lines.slice(0, MOST).map((line) => `- ${line}`), ...more];
}

const WORDS: Readonly<Record<ConflictKind, string>> = {
  content: 'both changed the same lines',
  'both-added': 'both added it, with different content',
  'deleted-by-us': 'you changed it, the other side deleted it',
  'deleted-by-them': 'you deleted it, the other side changed it',
  mode: 'both changed its mode',
  type: 'it is a file on one side and a link on the other',
  link: 'both changed where the link points',
  binary: 'both changed it, and it is not text',
  'folder-file': 'it is a folder on one side and a file on the other',
  unkept: 'one side holds something that cannot be stored, such as a special file',
  repository: 'it would be a repository inside the project',
};
