import { bodyHash } from '../../../core/model/ids.ts';
import { jointMerges } from '../../../core/check/joint-merge.ts';
import type { Definition } from '../../../core/model/definition.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import { unmergedList } from '../../../core/record/unmerged-files.ts';
import type { MergeWork, Workflow } from '../../../core/model/workflow.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import type { FilesChanged } from '../../../core/record/files-fact.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import type { TreeChange, TreeStore } from '../../../workspace/store/port.ts';
import type { PlaceUser } from './place-user.ts';

/** The workspace into which files will be merged together with the work of others. */
export interface JointTarget {
  readonly into: string;
  readonly merge: MergeWork;
}

type RunPlace = Pick<Snapshot, 'run' | 'workspace' | 'parent'>;

/** Decided by the run that owns the workspace, which may be far above the one that writes there. Null if no such merge follows. */
export async function mergeTarget(context: PlaceUser, name: string): Promise<JointTarget | null> {
  const { snapshot, definition, places } = context;
  let [of, workflow]: [RunPlace, Workflow | undefined] = [snapshot, definition.workflow];
  for (;;) {
    const above = of.parent === null ? null : await places.beginning(of.parent);
    const found = workflow === undefined ? null : targetIn(jointMerges(workflow), { of, workflow, name, above });
    if (found !== null || above === null) return found;
    [of, workflow] = [above, await workflowOf(context, above)];
  }
}

interface Asked {
  readonly of: RunPlace;
  readonly workflow: Workflow;
  readonly name: string;
  readonly above: RunPlace | null;
}

function targetIn(
  { home, byAgent }: ReturnType<typeof jointMerges>,
  { of, workflow, name, above }: Asked,
): JointTarget | null {
  if (name === of.workspace) {
    return home === null || above === null || above.workspace === name ? null : { into: above.workspace, merge: home };
  }
  const agent = workflow.agents.find((one) => byAgent.has(one.name) && workspaceOf(of, one) === name);
  const merge = agent === undefined ? undefined : byAgent.get(agent.name);
  return merge === undefined ? null : { into: of.workspace, merge };
}

async function workflowOf(
  { world }: PlaceUser,
  { definition, workflow: name }: Pick<Snapshot, 'definition' | 'workflow'>,
): Promise<Workflow | undefined> {
  const { workflow, library } = (await world.journal.getBody(bodyHash(definition))) as unknown as Definition;
  return workflow.name === name ? workflow : library[name];
}

/** A change of thousands of files is cut. */
const MOST_LISTED = 500;

interface ChangedTrees extends Pick<FilesChanged, 'tree' | 'base'> {
  /** The files before, if the list of the last record continues from there; null if a new one starts. */
  readonly before: FilesChanged['tree'] | null;
}

/** The files that a merge will bring into the target, as a change of the earlier records. */
export async function unmergedFiles(
  store: TreeStore,
  into: string,
  { tree, base, before }: ChangedTrees,
): Promise<Pick<FilesChanged, 'unmerged'>> {
  if (tree === base) return {};
  const all = pathsIn(await store.compare(base, tree));
  if (before === null) return { unmerged: unmergedList(into, [...all].slice(0, MOST_LISTED), []) };
  const news = [...pathsIn(await store.compare(before, tree))].slice(0, MOST_LISTED);
  const isOpen = (path: string): boolean => all.has(path);
  return {
    unmerged: unmergedList(
      into,
      news.filter(isOpen),
      news.filter((path) => !isOpen(path)),
    ),
  };
}

const pathsIn = (changes: readonly TreeChange[]): ReadonlySet<string> =>
  new Set(changes.map(({ path }) => shownPath(Buffer.from(path, 'latin1'))));
