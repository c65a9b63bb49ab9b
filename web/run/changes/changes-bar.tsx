import { Columns2, Rows2, SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BranchLine } from '../../../src/protocol/web/changes-page.ts';
import { diffWords, type DiffBases } from '../../model/diff-bases.ts';
import { useSelection } from '../../model/selection.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { BaseSelect } from './base-select.tsx';
import { Counts } from './change-counts.tsx';
import type { ShownChanges } from './use-changes.ts';
import type { WorkspaceChoice } from './workspace-choices.ts';

interface Props {
  readonly run: string;
  readonly choices: readonly WorkspaceChoice[];
  readonly chosen: WorkspaceChoice;
  readonly bases: DiffBases;
  /** Null where there are none to choose from. */
  readonly branches: readonly BranchLine[] | null;
  readonly changes: ShownChanges;
  readonly reviewed: number;
  readonly isSplit: boolean;
  readonly onSplit: (isSplit: boolean) => void;
}

/** Whose files, compared with what, and how far one has come with reading them. */
export function ChangesBar(props: Props): ReactNode {
  const { run, choices, chosen, bases, branches, changes, reviewed, isSplit, onSplit } = props;
  const [, select] = useSelection();
  const { page, files } = changes;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1.5">
      <Select
        aria-label="Whose files"
        className="max-w-36"
        value={chosen.workspace}
        onChange={(workspace) => select({ workspace, file: undefined, line: undefined, side: undefined })}
        options={choices.map(({ workspace, label, isChanged }) => ({
          value: workspace,
          label: isChanged ? label : `${label} · unchanged`,
        }))}
      />
      <BaseSelect bases={bases} branches={branches} />
      {page !== null && files.length > 0 && (
        <span className="flex items-center gap-2 text-sm text-muted">
          <Counts added={page.added} removed={page.removed} />
          <span className="num" role="status">
            {reviewed} of {files.length} reviewed
          </span>
        </span>
      )}
      <span className="flex-1" />
      <IconButton label="Both versions side by side" isPressed={isSplit} onClick={() => onSplit(!isSplit)}>
        {isSplit ? <Rows2 size={14} aria-hidden /> : <Columns2 size={14} aria-hidden />}
      </IconButton>
      <CopyButton
        label="Copy the command that shows the same"
        text={() => diffWords(run, chosen.workspace, bases.range)}
        icon={<SquareTerminal size={14} aria-hidden />}
      />
    </div>
  );
}
