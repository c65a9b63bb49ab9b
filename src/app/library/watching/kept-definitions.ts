import { isFault } from '../../../core/fault.ts';
import { foldRecords } from '../../../core/fold.ts';
import { DefinitionStore } from '../../../host/embedded/definition-store.ts';
import type { Journal, RunInfo } from '../../../journal/port.ts';
import { definitionNow, type DefinitionNow } from '../definition-change.ts';
import type { ProjectView } from '../project-trust.ts';
import { withStore } from '../../world/store.ts';

/** A run that is not over, and what its files give now. */
export interface OpenDefinition {
  readonly info: RunInfo;
  readonly now: DefinitionNow;
}

/** More than these are hardly under way at once; the newest count. */
const MOST_RUNS = 200;

/** The runs of the project that are not over, compared with its files; those that began alike are compared once. */
export async function openDefinitions(view: ProjectView): Promise<readonly OpenDefinition[]> {
  return await withStore(view.caller, async ({ journal }) => {
    const all = await journal.runs({ parent: null });
    const open = all.filter(({ status, project }) => status !== 'settled' && project === view.project.root);
    const compared = new Map<string, Promise<DefinitionNow | null>>();
    const found = open.slice(0, MOST_RUNS).map(async (info) => {
      const snapshot = foldRecords(await journal.read(info.run));
      const key = snapshot.definition;
      const now = compared.get(key) ?? compare(journal, snapshot, view);
      compared.set(key, now);
      return { info, now: await now };
    });
    return (await Promise.all(found)).flatMap(({ info, now }) => (now === null ? [] : [{ info, now }]));
  });
}

/** A definition that cannot be read any more is no reason not to watch files. */
async function compare(
  journal: Journal,
  snapshot: ReturnType<typeof foldRecords>,
  view: ProjectView,
): Promise<DefinitionNow | null> {
  try {
    return await definitionNow(await new DefinitionStore(journal).load(snapshot), view, 'none');
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}
