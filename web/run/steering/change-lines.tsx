import type { ReactNode } from 'react';
import type { FileChange } from '../../../src/protocol/web/changes-page.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { ChangeCounts } from '../changes/change-counts.tsx';

const MOST = 100;

/** Changed paths, one a line. */
export function ChangeLines({ changes }: { readonly changes: readonly FileChange[] }): ReactNode {
  if (changes.length === 0) return null;
  return (
    <ul className="max-h-56 overflow-y-auto rounded-md border border-line py-1">
      {changes.slice(0, MOST).map((change) => (
        <li key={change.path} className="flex min-w-0 items-center gap-2 px-2">
          <span className="min-w-0 flex-1 truncate font-mono text-sm" dir="ltr">
            {visibleText(change.path)}
          </span>
          <ChangeCounts file={change} />
        </li>
      ))}
      {changes.length > MOST && <li className="px-2 text-sm text-muted">… and {changes.length - MOST} more</li>}
    </ul>
  );
}
