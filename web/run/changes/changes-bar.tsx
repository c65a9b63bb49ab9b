import type { DiffFile } from './diff-files.ts';
import type { ChangesPage, BranchLine } from '../../../src/protocol/web/changes-page.ts';
import { Columns2, Rows2, SquareTerminal } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import { type DiffBases, diffWords, refBase } from '../../model/diff-bases.ts';
import { useSelection } from '../../model/selection.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Button, IconButton, Select, type SelectOption, TextField } from '../../ui/controls.tsx';
import { Counts } from './change-counts.tsx';
import type { WorkspaceChoice } from './workspace-choices.ts';
import { visibleText } from '../../ui/text.tsx';

interface OtherBaseProps {
  readonly branches: readonly BranchLine[];
  readonly onChoose: (ref: string) => void;
  readonly onClose: () => void;
}

/** Any name that git knows; the branches are found while one types. */
function OtherBase({ branches, onChoose, onClose }: OtherBaseProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [ref, setRef] = useState('');
  useEffect(() => field.current?.focus(), []);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (ref.trim() !== '') onChoose(ref.trim());
  };
  return (
    <form onSubmit={submit} className="flex items-center gap-1">
      <TextField
        ref={field}
        aria-label="Branch, tag or commit"
        placeholder="main, v1.2, 4f0c1a…"
        className="w-44"
        list={id}
        autoComplete="off"
        spellCheck={false}
        value={ref}
        onChange={(event) => setRef(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <datalist id={id}>
        {branches.map(({ name }) => (
          <option key={name} value={name}>
            {visibleText(name)}
          </option>
        ))}
      </datalist>
      <Button type="submit" disabledReason={ref.trim() === '' ? 'Name a branch, tag or commit first' : null}>
        Compare
      </Button>
    </form>
  );
}

interface BaseSelectProps {
  readonly bases: DiffBases;
  /** Null where there are none to choose from. */
  readonly branches: readonly BranchLine[] | null;
}

/** What changes are compared with: a moment of the run, the user's files, or anything in the repository by its name. */
function BaseSelect({ bases, branches }: BaseSelectProps): ReactNode {
  const [, select] = useSelection();
  const [isOther, setOther] = useState(false);
  const choose = (base: string): void => {
    setOther(base === OTHER);
    if (base !== OTHER)
      select({ base: base === 'start' ? undefined : base, file: undefined, line: undefined, side: undefined });
  };
  return (
    <>
      <Select
        aria-label="Compared with"
        className="max-w-48"
        value={isOther ? OTHER : bases.base.value}
        onChange={choose}
        options={optionsOf(bases, branches !== null)}
      />
      {isOther && (
        <OtherBase branches={branches ?? []} onChoose={(ref) => choose(refBase(ref))} onClose={() => setOther(false)} />
      )}
    </>
  );
}

const OTHER = 'other';

/** In front of the steps, of which there can be many. */
function optionsOf({ bases }: DiffBases, isGit: boolean): readonly SelectOption[] {
  if (!isGit) return bases;
  const other = { value: OTHER, label: 'another branch, tag or commit …', group: 'Branches' };
  const steps = bases.filter(({ group }) => group === 'Steps');
  return [...bases.filter(({ group }) => group !== 'Steps'), other, ...steps];
}

interface ChangesBarProps {
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

/** The chosen workspace, the base of the comparison, and the reading progress. */
export function ChangesBar(props: ChangesBarProps): ReactNode {
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

export interface ShownChanges {
  readonly page: ChangesPage | null;
  readonly files: readonly DiffFile[];
  readonly error: Error | null;
  readonly isReading: boolean;
}
