import { Fault } from '../../core/fault.ts';
import { runId } from '../../core/ids.ts';
import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import type { Backstage } from '../../server/backstage.ts';
import { fromWritten } from '../../workspace/byte-path.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { findFiles, treeOf, type RunFiles } from '../files/find-files.ts';
import { requireTrees } from '../files/kept-trees.ts';
import type { Store } from '../session/store.ts';

const MOST_BYTES = 16 * 1024 * 1024;

/** A file of a workspace of a run, as the journal says it was. WORKSPACE_UNKNOWN, FILES_PRUNED, FILE_LARGE. */
export async function fileAt(
  { home, journal }: Store,
  run: string,
  { workspace, path, at }: Parameters<Backstage['file']>[1],
): Promise<Uint8Array | null> {
  const files = await findFiles(journal, runId(run), at ?? null);
  requireWorkspace(files, workspace);
  const workspaces = createWorkspaces({ home });
  try {
    const store = await workspaces.store(files.project);
    const tree = treeOf(files, workspace);
    await requireTrees(store, files.root, [tree]);
    const entry = (await store.entries(tree)).get(fromWritten(path));
    if (entry?.kind !== 'file') return null;
    if ((await store.sizeOf(entry.blob)) > MOST_BYTES) throw tooLarge(path);
    return await store.read(entry.blob);
  } finally {
    await workspaces.close();
  }
}

function requireWorkspace({ workspaces, root }: RunFiles, name: string): void {
  if (name === MAIN_WORKSPACE || workspaces.has(name)) return;
  throw new Fault('WORKSPACE_UNKNOWN', `Run ${root} has no workspace "${name}" then.`, {
    hint: `It has: ${[MAIN_WORKSPACE, ...workspaces.keys()].join(', ')}.`,
  });
}

const tooLarge = (path: string): Fault =>
  new Fault('FILE_LARGE', `"${path}" is too large to be shown.`, {
    hint: 'It lies in the folder of the workspace; see: troupe show RUN',
  });
