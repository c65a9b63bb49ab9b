import { useState, type ReactNode } from 'react';
import { diffBases } from '../../model/diff-bases.ts';
import { useSelection } from '../../model/selection.ts';
import { useShownRun, useTree } from '../../model/use-run.ts';
import { ChangesBar } from './changes-bar.tsx';
import { ChangedFiles } from './changed-files.tsx';
import { CannotCompare, NoDifference, NoFiles } from './no-changes.tsx';
import { useReviewed } from './reviewed-marks.ts';
import { useChanges } from './use-changes.ts';
import { areSameChoices, chosenWorkspace, workspaceChoices, type WorkspaceChoice } from './workspace-choices.ts';
import type { RunState } from '../../model/run-tree.ts';

/** What a run did to files: by agent or merged, against any moment of it. */
export function ChangesPanel(): ReactNode {
  const run = useShownRun();
  const choices = useTree(workspaceChoices, areSameChoices);
  const [selection] = useSelection();
  const chosen = chosenWorkspace(choices, selection);
  return run === null || chosen === null ? <NoFiles /> : <Workspace run={run} choices={choices} chosen={chosen} />;
}

interface Props {
  readonly run: RunState;
  readonly choices: readonly WorkspaceChoice[];
  readonly chosen: WorkspaceChoice;
}

const SPLIT = 'troupe-diff-split';

function Workspace({ run, choices, chosen }: Props): ReactNode {
  const [selection] = useSelection();
  const [isSplit, setSplit] = useState(localStorage.getItem(SPLIT) === 'yes');
  const bases = diffBases(run, selection, chosen.workspace);
  const { workspace, version } = chosen;
  const changes = useChanges({ run: run.run, workspace, version, range: bases.range });
  const marks = useReviewed(run.run);
  const split = (next: boolean): void => {
    localStorage.setItem(SPLIT, next ? 'yes' : 'no');
    setSplit(next);
  };
  const { page, files, error, isReading } = changes;
  const isEmpty = page !== null && files.length === 0;
  return (
    <section aria-label="Changes" aria-busy={isReading} className="flex min-h-0 flex-1 flex-col">
      <ChangesBar
        {...{ run: run.run, choices, chosen, bases, changes, isSplit }}
        reviewed={files.filter(({ key }) => marks.has(key)).length}
        onSplit={split}
      />
      {page?.hasMore === true && <Unrecorded />}
      {error !== null && <CannotCompare error={error} />}
      {error === null && page === null && <p className="p-4 text-muted">Comparing …</p>}
      {error === null && isEmpty && <NoDifference chosen={chosen} words={bases.words} />}
      {error === null && files.length > 0 && (
        <ChangedFiles key={workspace} run={run.run} chosen={chosen} files={files} marks={marks} isSplit={isSplit} />
      )}
    </section>
  );
}

function Unrecorded(): ReactNode {
  return (
    <p className="border-b border-line bg-info-soft px-3 py-1 text-sm text-info">
      The folder holds more than the journal knows of: somebody changed it since. <code>troupe diff --disk</code> shows it.
    </p>
  );
}
