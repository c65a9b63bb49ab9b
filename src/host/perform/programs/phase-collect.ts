import type { OwedOutput } from '../../../core/artifact-fact.ts';
import { treeId, type RunId } from '../../../core/ids.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { MAIN_WORKSPACE } from '../../../core/workspace-name.ts';
import { withFolder } from '../../../lib/held-folder.ts';
import { joined, walkFiles } from '../../../tools/walk-files.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';
import type { TreeChange } from '../../../workspace/store/port.ts';
import type { Performance } from '../performance.ts';
import { rootOf } from '../places.ts';
import { checkContent } from './check-content.ts';
import { checkCriteria, type CriterionResult } from './criteria.ts';
import type { EngineProgram } from './engine-program.ts';
import { findOutput, type FoundOutput, type Ground } from './find-outputs.ts';
import { inPlace, type Held } from './in-place.ts';
import { recordsOf, treeRecords, type TreeRecord } from './journal-tree.ts';
import { KnownArtifacts } from './known-artifacts.ts';
import { problemsAnswer, type OutputProblem } from './output-problem.ts';
import { ORCHESTRATOR, PhaseMessages } from './phase-messages.ts';
import { collectSchema, programInput } from './program-input.ts';
import { recordArtifacts, type RecordedOutput } from './record-artifacts.ts';

/**
 * `phase.collect`: looks for itself at what a phase owes (L4). Everything there and good: each file becomes an artifact.
 * Else all that is missing or wrong, in words for the agent, and nothing is recorded.
 */
export const phaseCollect: EngineProgram = async (performance, effect) => {
  const input = programInput(collectSchema, effect);
  const { phase, agent } = input;
  return await inPlace(performance, effect, async (held) => {
    const records = await treeRecords(performance.world.journal, rootOf(performance.run));
    const known = new KnownArtifacts(records);
    const kept = await keptFiles(performance, held, input.since);
    const { outputs, problems } = await findAll(input.outputs, placeOf(held, kept, handedIn(records, performance.run)));
    const { content, problems: invalid } = await checkContent(held.workspace.folder, outputs);
    const { criteria: wanted, dependencies } = input;
    const criteria = await checkCriteria(performance, { effect, held, agent, criteria: wanted, dependencies, known });
    const all = [...problems, ...invalid, ...criteria.flatMap(failedCriterion)];
    if (all.length > 0) return problemsAnswer(phase, all);
    const recorded = await recordArtifacts(performance, { effect, input, held, outputs, ...kept, known, records });
    const messages = new PhaseMessages(performance, effect);
    const artifacts = recorded.outputs.map(({ fact }) => fact.artifact.path);
    const result = messages.bus({
      type: 'result',
      sender: agent,
      receiver: ORCHESTRATOR,
      payload: { status: 'success', artifacts, criteria: criteria.map(toJson) },
      correlationId: messages.correlationId(phase),
    });
    const notes = [...recorded.outputs.map(({ fact }) => fact), ...recorded.others, result];
    const output = {
      output: valuesOf(input.outputs, recorded.outputs),
      content,
      artifacts: recorded.outputs.map(artifactJson),
      criteria: criteria.map(toJson),
    };
    return { output, notes };
  });
};

interface KeptFiles {
  readonly paths: ReadonlySet<BytePath>;
  readonly changes: readonly TreeChange[];
}

/** The files of the workspace that its tree holds, and what is another than when the phase began. */
async function keptFiles({ world, snapshot, signal }: Performance, held: Held, since: string): Promise<KeptFiles> {
  if (!world.workspaces.keepsFiles) return { paths: await filesOnDisk(held.workspace.folder, signal), changes: [] };
  const store = await world.workspaces.store(snapshot.project);
  const entries = await store.entries(held.tree);
  const paths = new Set([...entries].filter(([, { kind }]) => kind === 'file').map(([path]) => path));
  return { paths, changes: await store.compare(treeId(since), held.tree) };
}

async function filesOnDisk(root: string, signal: AbortSignal): Promise<ReadonlySet<BytePath>> {
  const paths = new Set<BytePath>();
  await withFolder({ root, names: [] }, async (folder) => {
    for await (const { names } of walkFiles(folder, signal)) paths.add(joined(names).toString('latin1'));
  });
  return paths;
}

type Declared = Ground['declared'];

/** What the agent handed in last under a name. */
function handedIn(records: readonly TreeRecord[], run: RunId): Declared {
  const handed = recordsOf(records, 'output.handed').filter((record) => record.run === run);
  return (name) => handed.findLast(({ fact }) => fact.name === name)?.fact.paths;
}

type Place = Omit<Ground, 'isClaimed'>;

const placeOf = ({ workspace }: Held, kept: KeptFiles, declared: Declared): Place => ({
  folder: workspace.folder,
  ...kept,
  isMerged: workspace.name !== MAIN_WORKSPACE,
  declared,
});

interface AllFound {
  readonly outputs: readonly FoundOutput[];
  readonly problems: readonly OutputProblem[];
}

/** What is named comes first: what else was changed is known only then. */
async function findAll(owed: readonly OwedOutput[], place: Place): Promise<AllFound> {
  const found = new Map<OwedOutput, FoundOutput>();
  const problems: OutputProblem[] = [];
  const claimed = new Set<BytePath>();
  const isClaimed = (path: BytePath): boolean => claimed.has(path);
  const order = owed.toSorted((one, other) => Number(one.form === 'changed') - Number(other.form === 'changed'));
  for (const one of order) {
    const output = await findOutput(one, { ...place, isClaimed });
    if (!('files' in output)) problems.push(...output);
    else {
      found.set(one, output);
      for (const { path } of output.files) claimed.add(Buffer.from(path, 'utf8').toString('latin1'));
    }
  }
  return { outputs: owed.flatMap((one) => found.get(one) ?? []), problems };
}

function failedCriterion({ text, held, why = '' }: CriterionResult): readonly OutputProblem[] {
  return held === false ? [{ code: 'CRITERIA_FAILED', name: text, path: null, why }] : [];
}

/** A path for a single file, a list for what may be several; a name that is owed by several patterns is one list. */
function valuesOf(owed: readonly OwedOutput[], recorded: readonly RecordedOutput[]): JsonObject {
  const values: Record<string, Json> = {};
  for (const [name, group] of Map.groupBy(owed, (one) => one.name)) {
    const paths = [...new Set(recorded.filter((one) => one.owed.name === name).map(({ fact }) => fact.artifact.path))];
    values[name] = group.length === 1 && group[0]?.form === 'file' ? (paths[0] ?? null) : paths;
  }
  return values;
}

function artifactJson({ owed, fact }: RecordedOutput): JsonObject {
  const { id, name, path, hash, type } = fact.artifact;
  return { id, name, form: owed.form, path, hash, type };
}

const toJson = (result: CriterionResult): JsonObject => ({ ...result });
