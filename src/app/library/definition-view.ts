import { existsSync } from 'node:fs';
import { isFault } from '../../core/fault.ts';
import { foldRecords } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import { DefinitionStore } from '../../host/embedded/definition-store.ts';
import type { DefinitionView } from '../../protocol/definition-view.ts';
import { openProject } from '../config/project.ts';
import type { Caller } from '../caller.ts';
import { definitionNow, type DefinitionNow } from './definition-change.ts';
import { definitionChangeLines } from './definition-text.ts';
import { rootRun } from '../runs/root-run.ts';
import type { Store } from '../world/store.ts';

/** Which definition a run has, and whether its files give another one now. Whatever cannot be read is no reason not to show it. */
export async function definitionView({ journal }: Store, run: RunId, caller: Caller): Promise<DefinitionView> {
  const records = await journal.read(rootRun(run));
  const snapshot = foldRecords(records);
  const since = records.findLast(({ fact }) => fact.kind === 'run.redefined')?.seq;
  const told = { hash: snapshot.definition, ...(since === undefined ? {} : { since }) };
  if (!existsSync(snapshot.project)) return { ...told, state: 'gone' };
  try {
    const started = await new DefinitionStore(journal).load(snapshot);
    const project = await openProject({ ...caller, folder: snapshot.project });
    return { ...told, ...viewOf(await definitionNow(started, { project, caller }, 'none')) };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { ...told, state: 'broken', changes: [`${error.code}: ${error.message}`] };
  }
}

function viewOf(now: DefinitionNow): Omit<DefinitionView, 'hash'> {
  const { state, file, files } = now;
  const changes = definitionChangeLines(now);
  return {
    state,
    ...(file === null ? {} : { file }),
    ...(state === 'same' || files.length === 0 ? {} : { files }),
    ...(changes.length === 0 ? {} : { changes }),
  };
}
