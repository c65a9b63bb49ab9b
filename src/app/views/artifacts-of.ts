import { foldArtifacts } from '../../protocol/artifacts/fold-artifacts.ts';
import type { RunId } from '../../core/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { ArtifactView } from '../../protocol/artifacts/artifact-view.ts';
import { ArtifactOrigins } from '../../protocol/artifacts/explain-artifact.ts';
import type { WhyView } from '../../protocol/artifacts/why-view.ts';
import type { Shown } from '../../protocol/operations/views.ts';
import { whole } from '../../protocol/whole-list.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { rootRun } from '../runs/root-run.ts';
import { wholeContent, wireContent } from './artifacts/artifact-content.ts';
import { ArtifactFiles } from './artifacts/artifact-files.ts';
import { findArtifact } from './artifacts/find-artifact.ts';
import { readTree } from './artifacts/read-tree.ts';
import type { Looking } from './looking.ts';

/** What the agents of a run made, while its files are open. */
export interface RunArtifacts {
  readonly run: RunId;
  /** Those of the run itself and of the runs below it. */
  readonly own: readonly ArtifactView[];
  /** By id, path, or the beginning of one. ARTIFACT_UNKNOWN, ARTIFACT_AMBIGUOUS. */
  readonly find: (named: string) => ArtifactView;
  /** Where one comes from; without a name, those that nothing else was made from. */
  readonly why: (chosen: ArtifactView | null) => readonly WhyView[];
  readonly content: (artifact: ArtifactView) => AsyncIterable<Buffer>;
}

export async function withArtifacts<Result>(
  { store }: Looking,
  { run, project }: RunInfo,
  work: (artifacts: RunArtifacts) => Promise<Result>,
): Promise<Result> {
  const workspaces = createWorkspaces({ home: store.home });
  try {
    const trees = await workspaces.store(project);
    const root = rootRun(run);
    const records = await readTree(store.journal, root);
    const files = await ArtifactFiles.open({ store, root, records, trees });
    // Of the whole tree: what a child made may come from elsewhere in it.
    const all = await files.look(foldArtifacts(records));
    // A fork has those of its origin too.
    const own = run === root ? all : all.filter((artifact) => isBelow(artifact.run, run));
    return await work({
      run,
      own,
      find: (named) => findArtifact(own, named, run),
      why: (chosen) => {
        const origins = new ArtifactOrigins(records, all);
        return (chosen === null ? ends(own) : [chosen]).map((artifact) => origins.why(artifact));
      },
      content: (artifact) => files.content(artifact),
    });
  } finally {
    await workspaces.close();
  }
}

/** For programs. */
export const artifactList = ({ run, own }: RunArtifacts) => ({ kind: 'artifacts', run, ...whole(own) }) as const;

export const whyList = ({ run, why }: RunArtifacts, chosen: ArtifactView | null) =>
  ({ kind: 'why', run, ...whole(why(chosen)) }) as const;

export async function artifactLine({ content }: RunArtifacts, artifact: ArtifactView): Promise<Shown<'artifact'>> {
  return { kind: 'artifact', ...artifact, ...wireContent(await wholeContent(content(artifact), artifact)) };
}

const isBelow = (run: string, above: string): boolean => run === above || run.startsWith(`${above}/`);

/** What nothing else was made from: all the rest is told below it. */
function ends(artifacts: readonly ArtifactView[]): readonly ArtifactView[] {
  const used = new Set(artifacts.flatMap(({ dependencies }) => dependencies));
  const found = artifacts.filter(({ id, undone }) => undone === undefined && !used.has(id));
  return [...new Map(found.map((artifact) => [artifact.id, artifact])).values()];
}
