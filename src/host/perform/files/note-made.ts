import { filesIn } from '../../../core/fold/apply-files.ts';
import { doubtsOf } from '../../../core/record/file-doubts.ts';
import type { TreeId } from '../../../core/model/ids.ts';
import type { WorkspaceFiles } from '../../../core/fold/snapshot.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { PlaceUser } from './place-user.ts';

interface Made {
  readonly name: string;
  readonly tree: TreeId;
  readonly base?: TreeId;
  readonly isUrgent?: boolean;
}

/** A workspace was created, for the first time or again. */
export async function noteMade(
  user: PlaceUser,
  known: Map<string, WorkspaceFiles>,
  { name, tree, base, isUrgent = false }: Made,
): Promise<void> {
  const before = known.get(name);
  const version = (before?.version ?? 0) + 1;
  const again = base === undefined ? undefined : { base, ...doubtsOf(before ?? {}) };
  const more = again === undefined ? {} : { again };
  const fact = { kind: 'workspace.made', workspace: name, tree, version, ...more } as const;
  if (isUrgent) await user.noteNow(fact);
  else user.note(fact);
  known.set(name, filesIn(fact, before));
}

export const isMade = (files: WorkspaceFiles | undefined): files is WorkspaceFiles =>
  files !== undefined && files.isGone !== true;

export function noteResources(user: PlaceUser, { name, resources = {} }: Workspace): void {
  if (Object.keys(resources).length > 0) user.note({ kind: 'resource.leased', workspace: name, values: resources });
}
