import { useMemo, useState, type ReactNode } from 'react';
import type { ChangesPage } from '../../../src/protocol/web/changes-page.ts';
import { diffBases } from '../../model/diff-bases.ts';
import { useSelection } from '../../model/selection.ts';
import { useShownRun, useTree } from '../../model/use-run.ts';
import { ChangesBar } from './changes-bar.tsx';
import { ChangedFiles } from './changed-files.tsx';
import { NotComparedNote } from './not-compared.tsx';
import { useBranches } from './use-branches.ts';
import type { ComparedTrees } from './whole-files.ts';
import { CannotCompare, NoDifference, NoFiles } from './no-changes.tsx';
import { useReviewed } from './reviewed-marks.ts';
import { useChanges, type ShownChanges } from './use-changes.ts';
import { areSameChoices, chosenWorkspace, workspaceChoices, type WorkspaceChoice } from './workspace-choices.ts';
import type { RunNode } from '../../model/run-tree.ts';

/** What a run did to files: by agent or merged, against any moment of it. */
export function ChangesPanel(): ReactNode {
  const run = useShownRun();
  const choices = useTree(workspaceChoices, areSameChoices);
  const [selection] = useSelection();
  const chosen = chosenWorkspace(choices, selection);
  return run === null || chosen === null ? <NoFiles /> : <Workspace run={run} choices={choices} chosen={chosen} />;
}

interface Props {
  readonly run: RunNode;
  readonly choices: readonly WorkspaceChoice[];
  readonly chosen: WorkspaceChoice;
}

const SPLIT = 'troupe-diff-split';

function Workspace({ run, choices, chosen }: Props): ReactNode {
  const [selection] = useSelection();
  const [isSplit, setSplit] = useState(localStorage.getItem(SPLIT) === 'yes');
  const { workspace, version } = chosen;
  const branches = useBranches(run.run);
  const bases = diffBases(run, selection, { workspace, branches: branches ?? [] });
  const changes = useChanges({ run: run.run, workspace, version, range: bases.range });
  const marks = useReviewed(run.run);
  const split = (next: boolean): void => {
    localStorage.setItem(SPLIT, next ? 'yes' : 'no');
    setSplit(next);
  };
  return (
    <section aria-label="Changes" aria-busy={changes.isReading} className="flex min-h-0 flex-1 flex-col">
      <ChangesBar
        {...{ run: run.run, choices, chosen, bases, branches, changes, isSplit }}
        reviewed={changes.files.filter(({ key }) => marks.has(key)).length}
        onSplit={split}
      />
      <Shown {...{ run: run.run, chosen, changes, marks, isSplit }} words={bases.words} />
    </section>
  );
}

interface ShownProps {
  readonly run: string;
  readonly chosen: WorkspaceChoice;
  readonly changes: ShownChanges;
  readonly marks: ReadonlySet<string>;
  readonly isSplit: boolean;
  readonly words: string;
}

function Shown({ run, chosen, changes: { page, files, error }, marks, isSplit, words }: ShownProps): ReactNode {
  const trees = useTrees(run, page);
  if (error !== null) return <CannotCompare error={error} />;
  if (page === null || trees === null) return <p className="p-4 text-muted">Comparing …</p>;
  return (
    <>
      {page.hasMore && <Unrecorded />}
      {page.notCompared !== undefined && <NotComparedNote files={page.notCompared} />}
      {files.length === 0 ? (
        <NoDifference chosen={chosen} words={words} />
      ) : (
        <ChangedFiles key={chosen.workspace} {...{ trees, chosen, files, marks, isSplit }} />
      )}
    </>
  );
}

/** The same as long as the trees are, whatever else was read again. */
function useTrees(run: string, page: ChangesPage | null): ComparedTrees | null {
  const { workspace = '', before = '', after = '' } = page ?? {};
  const isKnown = page !== null;
  return useMemo(() => (isKnown ? { run, workspace, before, after } : null), [run, workspace, before, after, isKnown]);
}

function Unrecorded(): ReactNode {
  return (
    <p className="border-b border-line bg-info-soft px-3 py-1 text-sm text-info">
      The folder holds more than the journal knows of: somebody changed it since. <code>troupe diff --disk</code> shows
      it.
    </p>
  );
}
