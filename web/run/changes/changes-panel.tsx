import type { ShownChanges } from './changes-bar.tsx';
import { type ReactNode, useMemo, useState } from 'react';
import type {
  BranchLine,
  ChangesPage,
  NotComparedFile,
  NotComparedFiles,
} from '../../../src/protocol/web/changes-page.ts';
import { diffBases, type DiffRange } from '../../model/diff-bases.ts';
import { useSelection } from '../../model/selection.ts';
import { useShownRun, useTree } from '../../model/use-run.ts';
import { ChangesBar } from './changes-bar.tsx';
import { ChangedFiles } from './changed-files.tsx';
import type { ComparedTrees } from './whole-files.ts';
import { useReviewed } from './reviewed-marks.ts';
import {
  areSameChoices,
  chosenWorkspace,
  missingWorkspace,
  type WorkspaceChoice,
  workspaceChoices,
} from './workspace-choices.ts';
import type { RunNode } from '../../model/run-tree.ts';
import { api, ApiProblem, runPath } from '../../api/client.ts';
import { Empty } from '../../ui/boxes.tsx';
import { Button } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { Shown } from '../../../src/protocol/operations/views.ts';
import { type DiffFile, diffFiles } from './diff-files.ts';

const WORDS: Readonly<Record<NotComparedFile['why'], string>> = {
  ignored: 'ignored by the project',
  'left-out': 'in no workspace',
  sparse: 'not checked out',
  submodule: 'of a repository inside the project',
  filter: 'converted for git by an outside program',
  missing: 'not in this clone, or too large',
};

/** Paths reported neither as the same nor as different, with the reason. */
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

/** Null until it is known, and where the project is in no repository: then there is no such choice. */
export function useBranches(run: string): readonly BranchLine[] | null {
  const { data } = useQuery({
    queryKey: ['branches', run],
    queryFn: ({ signal }) => api.get<Shown<'branches'>>(runPath(run, '/branches'), {}, { signal }),
    staleTime: 30_000,
    retry: false,
  });
  return data?.isGit === true ? data.items : null;
}

/** A run that has no files at all, or has not touched them yet. */
export function NoFiles(): ReactNode {
  const files = useTree((tree) => tree.runs.get(tree.root)?.snapshot.files ?? null);
  const isOver = useTree((tree) => tree.runs.get(tree.root)?.snapshot.result !== null);
  if (files === null)
    return <Empty title="This run has no files" why="None of its agents has a tool that reads or changes any." />;
  return (
    <Empty
      title="No changes"
      why={
        isOver
          ? 'The run is over, and no agent of it ever worked in its files.'
          : 'No agent has worked in the files yet. They are copied for it when it first uses a tool.'
      }
    />
  );
}

export function NoDifference({
  chosen,
  words,
}: {
  readonly chosen: WorkspaceChoice;
  readonly words: string;
}): ReactNode {
  const others = chosen.isChanged ? ' There are changes against another base: choose it above.' : '';
  return <Empty title="No changes" why={`No file of ${visibleText(chosen.label)} is different ${words}.${others}`} />;
}

export function CannotCompare({ error }: { readonly error: Error }): ReactNode {
  const hint = error instanceof ApiProblem ? error.hint : undefined;
  return (
    <Empty
      title="The changes cannot be shown"
      why={
        <>
          <p>{visibleText(error.message)}</p>
          {hint !== undefined && <p>{visibleText(hint)}</p>}
        </>
      }
    />
  );
}

interface Wanted {
  readonly run: string;
  readonly workspace: string;
  /** Of the workspace: what was read of an older one is out of date. */
  readonly version: number;
  readonly range: DiffRange;
}

/** The changes of a workspace since the base. Read again when its files change. */
export function useChanges({ run, workspace, version, range }: Wanted): ShownChanges {
  const { data, error, isFetching } = useQuery({
    queryKey: ['changes', run, workspace, range, version],
    queryFn: ({ signal }) =>
      api.get<ChangesPage>(
        runPath(run, '/changes'),
        { workspace, ...range, project: range.project === true ? '1' : null },
        { signal },
      ),
    placeholderData: (before, query) => (query?.queryKey[2] === workspace ? before : undefined),
    retry: false,
  });
  const files = useMemo(() => (data === undefined ? NONE : diffFiles(data)), [data]);
  return { page: data ?? null, files, error, isReading: isFetching };
}

const NONE: readonly DiffFile[] = [];

/** The changed files of a run: by agent or merged, against any moment of it. */
export function ChangesPanel(): ReactNode {
  const run = useShownRun();
  const choices = useTree(workspaceChoices, areSameChoices);
  const [selection] = useSelection();
  const isLoaded = useTree((tree) => tree.isLoaded);
  const missing = missingWorkspace(choices, selection);
  if (missing !== null) return isLoaded ? <NoWorkspace name={missing} /> : <p className="p-4 text-muted">Loading …</p>;
  const chosen = chosenWorkspace(choices, selection);
  return run === null || chosen === null ? <NoFiles /> : <Workspace run={run} choices={choices} chosen={chosen} />;
}

function NoWorkspace({ name }: { readonly name: string }): ReactNode {
  const [, select] = useSelection();
  return (
    <Empty
      title={`No files of ${visibleText(name)}`}
      why="The run has no workspace with this name, or not any more."
      action={<Button onClick={() => select({ workspace: undefined })}>Other changes of the run</Button>}
    />
  );
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
      <Compared {...{ run: run.run, chosen, changes, marks, isSplit }} words={bases.words} />
    </section>
  );
}

interface ComparedProps {
  readonly run: string;
  readonly chosen: WorkspaceChoice;
  readonly changes: ShownChanges;
  readonly marks: ReadonlySet<string>;
  readonly isSplit: boolean;
  readonly words: string;
}

function Compared({ run, chosen, changes: { page, files, error }, marks, isSplit, words }: ComparedProps): ReactNode {
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
