import type { ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';

/** Of every file the version that counts: the newest that was not undone, in the order in which files first came. */
export function newestByPath(artifacts: readonly ArtifactView[]): readonly ArtifactView[] {
  const byPath = new Map<string, ArtifactView>();
  for (const artifact of artifacts) {
    const known = byPath.get(artifact.path);
    if (known === undefined || artifact.undone === undefined || known.undone === true)
      byPath.set(artifact.path, artifact);
  }
  return [...byPath.values()];
}
