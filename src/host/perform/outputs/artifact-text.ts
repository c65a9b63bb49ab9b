import type { Artifact } from '../../../core/record/artifact-fact.ts';
import { PathRefused } from '../../../lib/confined-path.ts';
import { readInFolder } from '../../../tools/folder-access.ts';
import type { EffectContext } from '../../world.ts';
import type { Held } from '../commands/in-place.ts';
import { keptIn } from './known-artifacts.ts';
import { seeFile } from './seen-file.ts';

const MOST_BYTES = 1024 * 1024;

/** The text of an artifact when it was recorded, whatever happened to its file; null if it is no longer available. */
export async function artifactText(
  context: EffectContext,
  artifact: Artifact,
  { workspace }: Held,
): Promise<string | null> {
  const { world, snapshot } = context;
  const tree = keptIn(artifact);
  if (tree !== null && world.workspaces.keepsFiles) {
    const store = await world.workspaces.store(snapshot.project);
    const entry = (await store.entries(tree)).get(Buffer.from(artifact.path, 'utf8').toString('latin1'));
    if (entry?.kind === 'file' && artifact.bytes <= MOST_BYTES) return (await store.read(entry.blob)).toString('utf8');
  }
  const seen = await seeFile(workspace.folder, artifact.path);
  if (seen.kind === 'none' || seen.hash !== artifact.hash) return null;
  try {
    return (await readInFolder(workspace.folder, artifact.path, MOST_BYTES)).toString('utf8');
  } catch (error) {
    if (error instanceof PathRefused) return null;
    throw error;
  }
}
