import type { ProjectOrigin } from '../../core/record/files-fact.ts';
import type { RunId, TreeId } from '../../core/model/ids.ts';
import { writeRules } from '../ignore/frozen-rules.ts';
import type { Workspaces, WorkspaceSettings } from '../port.ts';
import type { TrustOptions } from '../trust.ts';
import { runPlace } from '../run-place.ts';
import { keepRules, runRules } from '../run-rules.ts';
import { getBlob, putBlob } from './packed-body.ts';
import type { SharedStore } from './port.ts';
import { projectId } from './project-id.ts';
import { publishTree } from './publish-tree.ts';
import { sendTools } from './sent-tools.ts';

export interface Sending {
  /** Where the engine keeps its files. */
  readonly home: string;
  readonly workspaces: Pick<Workspaces, 'store'>;
  readonly shared: SharedStore;
}

export interface SentRun {
  readonly root: RunId;
  readonly project: string;
  /** What the run begins with. */
  readonly tree: TreeId;
  readonly ignored?: WorkspaceSettings['ignored'];
  /** The project's name in the settings. */
  readonly name?: string;
  /** What its settings do, to which the user agrees together with its tools. */
  readonly powers?: TrustOptions['powers'];
}

/** Puts what a run begins with into the shared store: the tree, the ignore rules of the user and the project, and its tools. */
export async function sendProject({ home, workspaces, shared }: Sending, run: SentRun): Promise<ProjectOrigin> {
  const { project, tree, ignored = 'skip', powers = [] } = run;
  const store = await workspaces.store(project);
  const { rules } = await runRules(runPlace(home, run.root), { project, store, tree, ignored });
  await publishTree(store, shared, tree);
  const tools = await sendTools(shared, { home, project, powers });
  return {
    id: await projectId(project, run.name),
    rules: await putBlob(shared, Buffer.from(writeRules(rules))),
    ...(tools === undefined ? {} : { tools }),
  };
}

/** The same on the other machine, before the first workspace of the run is opened there. The trees follow when they are needed. */
export async function receiveProject(
  { home, shared }: Pick<Sending, 'home' | 'shared'>,
  run: { readonly root: RunId; readonly rules: string },
): Promise<void> {
  await keepRules(runPlace(home, run.root), (await getBlob(shared, run.rules)).toString('utf8'));
}
