import type { OwedOutput } from '../../../core/record/artifact-fact.ts';
import { treeId } from '../../../core/model/ids.ts';
import { MAIN_WORKSPACE } from '../../../core/model/workspace-name.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import { withFolder } from '../../../lib/held-folder.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';
import { joined, walkFiles } from '../../../tools/folder-access.ts';
import type { TreeChange, TreeEntry } from '../../../workspace/store/port.ts';
import type { EffectContext } from '../../world.ts';
import { findOutput, type FoundOutput, type Ground } from './find-outputs.ts';
import type { Held } from '../commands/in-place.ts';
import type { OutputProblem } from './output-problem.ts';
import type { StepActions } from './step-actions.ts';

/** The files of a workspace that no rule ignores. */
export interface KeptFiles {
  /** Null for files of which only the name is known. */
  readonly files: ReadonlyMap<BytePath, TreeEntry | null>;
  /** The changes since the phase began; null if unknown. */
  readonly changes: readonly TreeChange[] | null;
}

export async function keptFiles(
  { world, snapshot, signal }: EffectContext,
  held: Held,
  since: string,
): Promise<KeptFiles> {
  if (!world.workspaces.keepsFiles) return { files: await filesOnDisk(held.workspace.folder, signal), changes: null };
  const store = await world.workspaces.store(snapshot.project);
  const entries = await store.entries(held.tree);
  const files = new Map([...entries].filter(([, { kind }]) => kind === 'file'));
  return { files, changes: await store.compare(treeId(since), held.tree) };
}

async function filesOnDisk(root: string, signal: AbortSignal): Promise<ReadonlyMap<BytePath, null>> {
  const files = new Map<BytePath, null>();
  await withFolder({ root, names: [] }, async (folder) => {
    for await (const { names } of walkFiles(folder, signal)) files.set(joined(names).toString('latin1'), null);
  });
  return files;
}

export interface Collected {
  readonly outputs: readonly FoundOutput[];
  readonly problems: readonly OutputProblem[];
}

/** Finds all owed outputs. Named ones come first: the other changed files are known only then. */
export async function collectOutputs(
  owed: readonly OwedOutput[],
  { held, kept, actions }: { readonly held: Held; readonly kept: KeptFiles; readonly actions: StepActions },
): Promise<Collected> {
  const found = new Map<OwedOutput, FoundOutput>();
  const problems: OutputProblem[] = [];
  const claimed = new Set<BytePath>();
  const ground: Ground = {
    folder: held.workspace.folder,
    files: kept.files,
    changes: kept.changes ?? [],
    isMerged: held.workspace.name !== MAIN_WORKSPACE,
    declared: actions.handed,
    isClaimed: (path) => claimed.has(path),
  };
  for (const one of owed.toSorted((a, b) => Number(a.form === 'changed') - Number(b.form === 'changed'))) {
    // If the changes are unknown, none can be missing.
    const isBlind = kept.changes === null && one.form === 'changed';
    const output = await findOutput(isBlind ? { ...one, path: null } : one, ground);
    if (!('files' in output)) problems.push(...output);
    else {
      found.set(one, output);
      for (const { path } of output.files) claimed.add(toBytes(path));
    }
  }
  const outputs = owed.flatMap((one) => found.get(one) ?? []);
  const all = [...problems, ...outputs.flatMap((output) => staleIn(output, kept, actions))];
  return { outputs, problems: all.map((problem) => withRefusal(problem, actions)) };
}

/** A refused submission is the reason to fix. */
function withRefusal(problem: OutputProblem, { refused }: StepActions): OutputProblem {
  const why = refused(problem.name);
  return why === undefined
    ? problem
    : { ...problem, why: `${problem.why} The last submit_output of it was refused: ${why}` };
}

const toBytes = (path: string): BytePath => Buffer.from(path, 'utf8').toString('latin1');

/**
 * A plan or a report that existed before and was not written in this phase is outdated: it could wrongly say that all is
 * well (L4). An agent that means the same content submits it again.
 */
function staleIn(
  { owed, files }: FoundOutput,
  { changes }: KeptFiles,
  { written }: StepActions,
): readonly OutputProblem[] {
  if (changes === null || owed.form !== 'file' || (owed.type !== 'plan' && owed.type !== 'report')) return [];
  return files
    .filter(({ path }) => !written.has(path) && changes.every((change) => change.path !== toBytes(path)))
    .map(({ path }) => ({
      code: 'OUTPUT_MISSING',
      name: owed.name,
      path,
      why: `${shownPath(path)} is as it was before the phase began. Write it again, or hand it in with submit_output.`,
    }));
}
