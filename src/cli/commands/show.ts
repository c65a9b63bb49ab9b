import { existsSync } from 'node:fs';
import { readDefinitions, readTree } from '../../app/views/artifacts/read-tree.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { compactionText } from '../../core/compaction-text.ts';
import { withoutTaken } from '../../app/results/taken-branches.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { flag, word } from '../invocation.ts';
import type { TreeRecord } from '../../protocol/workflow-state/tree-record.ts';
import { foldWorkflowState } from '../../protocol/workflow-state/fold-workflow-state.ts';
import { isQuestData } from '../../protocol/quest/quest-page.ts';
import { questPlace } from '../../app/quest/quest-files.ts';
import { definitionView } from '../../app/library/definition-view.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { forksOf } from '../../app/runs/forks.ts';
import { runPicture } from '../../app/runs/run-picture.ts';
import { runFolder } from '../../app/runs/run-folder-path.ts';
import { withStore, type Store } from '../../app/world/store.ts';
import { workspaceFolders } from '../../app/results/workspace-folders.ts';
import { paintFor } from '../terminal/colour.ts';
import { showText } from '../terminal/show-text.ts';

/** `troupe show RUN`: where a run stands, from the journal and what is on the disk. */
export async function showCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const view = await withStore(terminal, (store) => viewOf(store, invocation));
  const paint = paintFor(terminal.stdout, terminal.environment);
  terminal.stdout.write(`${flag(invocation, 'json') ? JSON.stringify(view) : showText(view, paint)}\n`);
  return EXIT.ok;
}

async function viewOf(store: Store, invocation: Invocation): Promise<RunView> {
  const { journal, home } = store;
  const info = await findRun(journal, word(invocation, 0) ?? 'last', invocation.terminal.folder);
  const { run } = info;
  const [seen, forks] = await Promise.all([runPicture(journal, run, runFolder(home, run)), forksOf(journal, run)]);
  const [picture = seen] = await withoutTaken([seen]);
  const [folders, definition] = await Promise.all([
    workspaceFolders(store, seen),
    definitionView(store, run, invocation.terminal),
  ]);
  const records = await readTree(journal, run);
  return {
    ...picture,
    ...foldWorkflowState(run, records, await readDefinitions(journal, records)),
    folders,
    definition,
    ...redactedIn(records),
    ...compactedIn(records),
    ...(forks.length === 0 ? {} : { forks }),
    ...questFileOf(home, picture),
  };
}

/** Each file once, also where a later turn put the secret there again. */
function redactedIn(records: readonly TreeRecord[]): Pick<RunView, 'redacted'> {
  const all = records.flatMap(({ record: { fact } }) => (fact.kind === 'files.changed' ? (fact.redacted ?? []) : []));
  const byPath = new Map(all.map((file) => [file.path, file]));
  return byPath.size === 0 ? {} : { redacted: [...byPath.values()] };
}

/** By agent, where its conversation no longer fitted into the window of its model. */
function compactedIn(records: readonly TreeRecord[]): Pick<RunView, 'compacted'> {
  const agents = new Map<string, string>();
  const lines = records.flatMap(({ run, record: { fact } }) => {
    if (fact.kind === 'task.started' && fact.work.kind === 'turn') agents.set(`${run} ${fact.task}`, fact.work.agent);
    if (fact.kind !== 'turn.compacted' && fact.kind !== 'results.cleared') return [];
    return [`${agents.get(`${run} ${fact.task}`) ?? fact.task}: ${compactionText(fact)}`];
  });
  return lines.length === 0 ? {} : { compacted: lines };
}

/** It goes with the files of the run when those are pruned. */
function questFileOf(home: string, { run, parent, data }: RunView): Pick<RunView, 'questFile'> {
  if (parent !== null || !isQuestData(data)) return {};
  const { json } = questPlace(home, run);
  return existsSync(json) ? { questFile: json } : {};
}
