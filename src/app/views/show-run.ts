import { compactionText } from '../../core/look/compaction-text.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { foldWorkflowState } from '../../protocol/workflow-state/fold-workflow-state.ts';
import { TaskBook } from '../../protocol/history/task-book.ts';
import { entry } from '../../protocol/metrics/counters.ts';
import type { RunRecord } from '../../protocol/history/run-record.ts';
import { definitionView } from '../library/definition-change.ts';
import { writtenFile } from '../../formats/registry/app.ts';
import { withGit } from '../results/with-git.ts';
import { workspaceFolders } from '../results/workspace-folders.ts';
import { forksOf, runFolder } from '../runs/find-run.ts';
import { runPicture } from '../runs/run-picture.ts';
import { readDefinitions, readTree } from '../runs/tree-reader.ts';
import { queuedWithFailure } from '../workers/queued-run.ts';
import type { Looking } from '../world/store.ts';
import { readOnce } from './read-pieces.ts';

/** Where a run stands, from the journal and what is on the disk. */
export async function showRun({ store: opened, caller }: Looking, run: RunId): Promise<RunView> {
  const { home } = opened;
  const journal = readOnce(opened.journal);
  const store = { ...opened, journal };
  const [seen, forks] = await Promise.all([runPicture(journal, run, runFolder(home, run)), forksOf(journal, run)]);
  const [picture = seen] = await withGit([seen]);
  const [folders, definition] = await Promise.all([workspaceFolders(store, seen), definitionView(store, run, caller)]);
  const records = await readTree(journal, run);
  const written = picture.parent === null ? writtenFile(home, run) : null;
  return {
    ...picture,
    ...(await queuedWithFailure(opened, caller, run)),
    ...foldWorkflowState(run, records, await readDefinitions(journal, records)),
    folders,
    definition,
    ...redactedIn(records),
    ...compactedIn(records),
    ...(forks.length === 0 ? {} : { forks }),
    ...(written === null ? {} : { written }),
  };
}

/** Each file once, also where a later turn put the secret there again. */
function redactedIn(records: readonly RunRecord[]): Pick<RunView, 'redacted'> {
  const all = records.flatMap(({ record: { fact } }) => (fact.kind === 'files.changed' ? (fact.redacted ?? []) : []));
  const byPath = new Map(all.map((file) => [file.path, file]));
  return byPath.size === 0 ? {} : { redacted: [...byPath.values()] };
}

/** By agent, where its conversation no longer fitted into the window of its model. */
function compactedIn(records: readonly RunRecord[]): Pick<RunView, 'compacted'> {
  const books = new Map<RunId, TaskBook>();
  const lines = records.flatMap(({ run, record }) => {
    const book = entry(books, run, () => new TaskBook());
    book.take(record);
    const { fact } = record;
    if (fact.kind !== 'turn.compacted' && fact.kind !== 'results.cleared') return [];
    return [`${book.turnAgent(fact.task) ?? fact.task}: ${compactionText(fact)}`];
  });
  return lines.length === 0 ? {} : { compacted: lines };
}
