import type { ReactNode } from 'react';
import { unreachable } from '../../../src/core/model/fault.ts';
import type { FileChange } from '../../../src/protocol/web/changes-page.ts';
import { CommandTwin, CopyButton } from '../../ui/copy-button.tsx';
import { visibleText } from '../../ui/text.tsx';
import type { HeldFile, MergeEnd } from './answers.ts';
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

interface Props {
  readonly answer: MergeEnd;
  readonly run: string;
}

/** The result of a merge, and how to continue or undo it. */
export function MergeOutcomeView({ answer, run }: Props): ReactNode {
  return (
    <>
      {answer.unverified !== undefined && (
        <p className="rounded-md bg-warn-soft px-2 py-1.5 wrap-anywhere text-warn">
          Not verified: {visibleText(answer.unverified)}
        </p>
      )}
      <Ended answer={answer} run={run} />
    </>
  );
}

function Ended({ answer, run }: Props): ReactNode {
  const isUnverified = answer.unverified !== undefined;
  switch (answer.kind) {
    case 'result.unchanged':
      return (
        <>
          <p>There is nothing to deliver: the project has all of it already.</p>
          <Held files={answer.held} run={run} isUnverified={isUnverified} />
        </>
      );
    case 'result.branch':
      return (
        <Brought changes={answer.changes} words="It is a branch now:" where={`git merge ${answer.branch}`}>
          {answer.conflicts.length > 0 && <Clash count={answer.conflicts.length} with="what is committed now" />}
        </Brought>
      );
    case 'result.patch':
      return (
        <Brought changes={answer.changes} words="It is a patch now:" where={answer.file}>
          {answer.conflicts.length > 0 && <Clash count={answer.conflicts.length} with="your files as they are" />}
        </Brought>
      );
    case 'result.applied':
      return (
        <Brought changes={answer.changes} words="It is in your files:" where={answer.project}>
          <p className="text-sm text-muted">This takes it out again:</p>
          <CommandTwin action={{ kind: 'rollback', run, to: String(answer.undoTo), only: 'files' }} />
          <Held files={answer.held} run={run} isUnverified={isUnverified} />
        </Brought>
      );
    default:
      return unreachable(answer);
  }
}

const NONE_HELD: readonly HeldFile[] = [];

/** Files that steer programs are taken only by name. */
function Held({
  files = NONE_HELD,
  run,
  isUnverified,
}: {
  readonly files?: readonly HeldFile[] | undefined;
  readonly run: string;
  readonly isUnverified: boolean;
}): ReactNode {
  if (files.length === 0) return null;
  return (
    <div className="rounded-md bg-warn-soft px-2 py-1.5 text-warn">
      <p>These files steer your programs and were not applied. Look at them, then take them with:</p>
      <ul className="my-1 list-disc pl-5 wrap-anywhere">
        {files.map(({ path, why }) => (
          <li key={path}>
            <code>{visibleText(path)}</code>: {visibleText(why)}
          </li>
        ))}
      </ul>
      <CommandTwin
        action={{
          kind: 'deliver',
          run,
          to: { kind: 'apply' },
          allow: isUnverified ? ['unverified', 'steering'] : ['steering'],
        }}
      />
    </div>
  );
}

interface BroughtProps {
  readonly changes: readonly FileChange[];
  readonly words: string;
  readonly where: string;
  readonly children?: ReactNode;
}

function Brought({ changes, words, where, children }: BroughtProps): ReactNode {
  return (
    <>
      <p>{words}</p>
      <div className="flex items-start gap-1 rounded-md bg-sunken pl-2">
        <code className="min-w-0 flex-1 py-1.5 text-sm wrap-anywhere">{visibleText(where)}</code>
        <CopyButton label="Copy it" text={() => where} />
      </div>
      <ChangeLines changes={changes} />
      {children}
    </>
  );
}

function Clash({ count, with: other }: { readonly count: number; readonly with: string }): ReactNode {
  return (
    <p className="rounded-md bg-warn-soft px-2 py-1.5 text-warn">
      {count === 1 ? 'One file' : `${count} files`} will be in conflict with {other}.
    </p>
  );
}
