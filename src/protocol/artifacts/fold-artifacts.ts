import type { Artifact, ArtifactRecorded } from '../../core/record/artifact-fact.ts';
import { TreeLineage } from '../history/lineage.ts';
import { isoTime, type RunRecord } from '../history/run-record.ts';
import type { ArtifactView } from './artifact-view.ts';

/** Every version of every artifact of a tree of runs, oldest first. */
export function foldArtifacts(records: readonly RunRecord[]): readonly ArtifactView[] {
  const effective = new TreeLineage(records);
  const views: ArtifactView[] = [];
  const newest = new Map<string, ArtifactView>();
  for (const { run, record } of records) {
    const { fact, seq, at } = record;
    if (fact.kind !== 'artifact.recorded') continue;
    const before = newest.get(fact.artifact.path);
    const isUndone = !effective.counts(run, seq);
    // The same file looked at again, as after each round of a loop.
    if (before?.id === fact.artifact.id && before.undone === (isUndone ? true : undefined)) continue;
    const version = versionAfter(before, fact.artifact);
    const view = { ...viewOf(fact), created_at: isoTime(at), version, run, record: seq };
    const seen = isUndone ? { ...view, undone: true as const } : view;
    newest.set(view.path, seen);
    views.push(seen);
  }
  return views;
}

/** The same content from another producer is the same version. */
function versionAfter(before: ArtifactView | undefined, { hash }: Artifact): number {
  if (before === undefined) return 1;
  return before.hash === hash ? before.version : before.version + 1;
}

function viewOf({ task, artifact }: ArtifactRecorded): Omit<ArtifactView, 'created_at' | 'version' | 'run' | 'record'> {
  const { id, type, producer, path, metadata, dependencies, name, phase, hash, bytes } = artifact;
  return { id, type, producer, path, metadata, dependencies, name, phase, hash, bytes, task };
}
