import type { Artifact, ArtifactRecorded, OwedOutput } from '../../../core/record/artifact-fact.ts';
import type { ComputeRun } from '../../../core/model/effect.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';
import type { TreeEntry } from '../../../workspace/store/port.ts';
import type { EffectContext } from '../../world.ts';
import type { KeptFiles } from './collect-outputs.ts';
import type { FoundFile, FoundOutput } from './find-outputs.ts';
import type { Held } from '../commands/in-place.ts';
import type { JournalTreeRecord } from './journal-tree.ts';
import type { KnownArtifacts } from './known-artifacts.ts';
import type { CollectInput } from './step-input.ts';
import { seeFile } from './seen-file.ts';
import { madeIn, namedChanges, traceFiles, type NamedChange } from './trace-files.ts';

/** The output of a phase, with the facts that show its origin. */
export interface Harvest {
  readonly effect: ComputeRun;
  readonly input: CollectInput;
  readonly held: Held;
  readonly outputs: readonly FoundOutput[];
  readonly kept: KeptFiles;
  readonly known: KnownArtifacts;
  readonly records: readonly JournalTreeRecord[];
}

/** An artifact as reported to the workflow. */
export interface RecordedOutput {
  readonly owed: OwedOutput;
  readonly fact: ArtifactRecorded;
}

export interface RecordedArtifact {
  readonly outputs: readonly RecordedOutput[];
  /** New versions of earlier artifacts that the phase changed without owing them, so that a search for the newest finds them. */
  readonly others: readonly ArtifactRecorded[];
}

/**
 * Records every file that a phase delivers as an artifact. The records alone show who made it (`producer`, `metadata.made`:
 * run, task and tool call), from what (`dependencies`), and its content (`metadata.tree`).
 */
export async function recordArtifacts(context: EffectContext, harvest: Harvest): Promise<RecordedArtifact> {
  const makers = await makersOf(context, harvest);
  const all = harvest.outputs.flatMap(({ owed, files }) =>
    files.map((file) => ({ owed, fact: factOf(context, harvest, { owed, file, makers }) })),
  );
  // Two patterns of one output may name the same file.
  const outputs = [...new Map(all.map((one) => [one.fact.artifact.id, one])).values()];
  return { outputs, others: await undeclared(context, harvest, { outputs, makers }) };
}

async function undeclared(
  context: EffectContext,
  harvest: Harvest,
  { outputs, makers }: { readonly outputs: readonly RecordedOutput[]; readonly makers: Makers },
): Promise<readonly ArtifactRecorded[]> {
  const { held, kept, known } = harvest;
  const own = new Set(outputs.map(({ fact }) => fact.artifact.path));
  const others: ArtifactRecorded[] = [];
  for (const path of (kept.changes ?? []).map((change) => textOf(change.path))) {
    const earlier = own.has(path) ? undefined : known.newest(path);
    if (earlier === undefined) continue;
    const file = await seeFile(held.workspace.folder, path);
    if (file.kind === 'none' || file.hash === earlier.hash) continue;
    others.push(factOf(context, harvest, { owed: earlier, file, makers, earlier }));
  }
  return others;
}

const textOf = (path: BytePath): string => Buffer.from(path, 'latin1').toString('utf8');
const bytesOf = (path: string): BytePath => Buffer.from(path, 'utf8').toString('latin1');

type Makers = ReadonlyMap<BytePath, NamedChange>;

/** Also for files that this phase did not change. */
async function makersOf({ world, run, snapshot }: EffectContext, harvest: Harvest): Promise<Makers> {
  const { files, changes } = harvest.kept;
  if (changes === null) return new Map();
  const paths = harvest.outputs.flatMap((output) => output.files.map(({ path }) => bytesOf(path)));
  const found = new Map<BytePath, TreeEntry | null>();
  for (const path of [...paths, ...changes.map((change) => change.path)]) {
    const entry = files.get(path);
    if (entry !== undefined && entry !== null) found.set(path, entry);
  }
  const { workspace, tree } = harvest.held;
  const named = namedChanges(harvest.records, { run, workspace: workspace.name, tree });
  return await traceFiles(await world.workspaces.store(snapshot.project), named, found);
}

interface Delivered {
  readonly owed: Pick<OwedOutput, 'name' | 'type'>;
  readonly file: FoundFile;
  readonly makers: Makers;
  readonly earlier?: Artifact;
}

function factOf(
  { run }: EffectContext,
  harvest: Harvest,
  { owed, file, makers, earlier }: Delivered,
): ArtifactRecorded {
  const { path, hash, bytes } = file;
  const { phase, agent, dependencies } = harvest.input;
  return {
    kind: 'artifact.recorded',
    task: harvest.effect.task,
    artifact: {
      id: `${run}/${owed.name}/${path}@${hash.slice(0, 12)}`,
      type: owed.type,
      name: owed.name,
      producer: agent,
      phase,
      path,
      hash,
      bytes,
      metadata: { ...metadataOf(harvest, path, makers), ...(earlier === undefined ? {} : { isUndeclared: true }) },
      dependencies: [...new Set([...(earlier === undefined ? [] : [earlier.id]), ...dependencies])],
    },
  };
}

function metadataOf({ held, kept, input }: Harvest, path: string, makers: Makers): JsonObject {
  const key = bytesOf(path);
  const maker = makers.get(key);
  const isInTree = (kept.files.get(key) ?? null) !== null;
  return {
    agentType: input.type,
    workspace: held.workspace.name,
    ...changeOf(kept, key),
    // Ignored files are in no tree.
    ...(isInTree ? { tree: held.tree } : {}),
    ...(maker === undefined ? {} : { made: madeIn(maker) }),
  };
}

function changeOf({ changes }: KeptFiles, path: BytePath): JsonObject {
  if (changes === null) return {};
  const change = changes.find((one) => one.path === path);
  if (change === undefined) return { change: 'unchanged' };
  return { change: change.before === null ? 'created' : 'modified' };
}
