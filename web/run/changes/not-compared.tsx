import type { ReactNode } from 'react';
import type { NotComparedFile, NotComparedFiles } from '../../../src/protocol/web/changes-page.ts';
import { visibleText } from '../../ui/visible-text.ts';

const WORDS: Readonly<Record<NotComparedFile['why'], string>> = {
  ignored: 'ignored by the project',
  'left-out': 'in no workspace',
  sparse: 'not checked out',
  submodule: 'of a repository inside the project',
  filter: 'converted for git by an outside program',
  missing: 'not in this clone, or too large',
};

/** What is told neither as the same nor as different, and why. */
export function NotComparedNote({ files: { count, some } }: { readonly files: NotComparedFiles }): ReactNode {
  return (
    <details className="shrink-0 border-b border-line px-3 py-1 text-sm text-muted">
      <summary className="cursor-pointer">{count === 1 ? '1 file is' : `${count} files are`} not compared</summary>
      <ul className="max-h-40 overflow-y-auto py-1">
        {some.map(({ path, why }) => (
          <li key={`${why} ${path}`}>
            <span className="font-mono" dir="ltr">
              {visibleText(path)}
            </span>{' '}
            · {WORDS[why]}
          </li>
        ))}
        {count > some.length && <li>… and {count - some.length} more</li>}
      </ul>
    </details>
  );
}
