import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { ChangeCounts } from './change-counts.tsx';
import type { DiffFile } from './diff-files.ts';

interface Props {
  readonly files: readonly DiffFile[];
  readonly reviewed: ReadonlySet<string>;
  /** By path. */
  readonly findings: ReadonlyMap<string, readonly unknown[]>;
  readonly chosen: string | undefined;
  readonly onChoose: (path: string) => void;
}

/** More than this is no list any more. */
const MOST = 400;

export function FileList({ files, reviewed, findings, chosen, onChoose }: Props): ReactNode {
  return (
    <ul aria-label="Changed files" className="max-h-[25%] min-h-9 shrink-0 overflow-y-auto border-b border-line py-1">
      {files.slice(0, MOST).map((file) => (
        <li key={file.path}>
          <button
            type="button"
            aria-current={file.path === chosen || undefined}
            onClick={() => onChoose(file.path)}
            className={classNames(
              'flex w-full min-w-0 items-center gap-2 px-3 py-0.5 text-left -outline-offset-2 hover:bg-hover',
              file.path === chosen && 'bg-accent-soft',
            )}
          >
            <span className="w-3.5 shrink-0 text-ok">
              {reviewed.has(file.key) && <Check size={13} aria-label="reviewed" />}
            </span>
            <Name path={file.path} />
            <FindingCount count={findings.get(file.path)?.length ?? 0} />
            <span className="flex-1" />
            <ChangeCounts file={file} />
          </button>
        </li>
      ))}
      {files.length > MOST && <li className="px-3 text-sm text-muted">… and {files.length - MOST} more below.</li>}
    </ul>
  );
}

function Name({ path }: { readonly path: string }): ReactNode {
  const cut = path.startsWith('"') ? -1 : path.lastIndexOf('/');
  return (
    <span className="truncate font-mono text-sm" dir="ltr">
      <span className="text-muted">{visibleText(path.slice(0, cut + 1))}</span>
      {visibleText(path.slice(cut + 1))}
    </span>
  );
}

function FindingCount({ count }: { readonly count: number }): ReactNode {
  if (count === 0) return null;
  return <Badge tone="warn">{count === 1 ? '1 finding' : `${count} findings`}</Badge>;
}
