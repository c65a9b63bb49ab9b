import { rootOf } from '../files/places.ts';
import type { Artifact } from '../../../core/record/artifact-fact.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';
import type { TreeEntry } from '../../../workspace/store/port.ts';
import type { EffectContext } from '../../world.ts';
import type { Held } from '../commands/in-place.ts';
import { treeEntries, type JournalTreeRecord } from './journal-tree.ts';
import { KnownArtifacts } from './known-artifacts.ts';
import type { Need, NeededArtifact } from './step-input.ts';
import { seeFile, type SeenFile } from './seen-file.ts';
import { namedChanges, traceFiles, type NamedChange } from './trace-files.ts';

/** The artifacts that a phase depends on, as they are in its workspace. */
export interface NeedsChecked {
  readonly failure: Failure | null;
  /** Paths in lists that a later phase deleted. */
  readonly dropped: ReadonlySet<string>;
  readonly known: KnownArtifacts;
}

/**
 * A phase gets exactly the versions it depends on (PH4). For a single file: the recorded version. For a list, such as the
 * changed files: the last recorded version of each path, since a later phase may have changed it.
 */
export async function checkNeeds(context: EffectContext, needs: readonly Need[], held: Held): Promise<NeedsChecked> {
  const records = await treeEntries(context.world.journal, rootOf(context.run));
  const known = new KnownArtifacts(records);
  const doubts = await doubtsOf(needs, held, known);
  if (doubts.length === 0) return { failure: null, dropped: new Set(), known };
  const makers = await makersOf(context, { doubts, held, records });
  const dropped = new Set(doubts.filter((doubt) => isDropped(doubt, makers)).map(({ artifact }) => artifact.path));
  const wrong = doubts.filter((doubt) => !isDropped(doubt, makers) && !isMerged(doubt, makers));
  const failure = wrong.length === 0 ? null : failureOf(wrong, { known, makers });
  return { failure, dropped, known };
}

/** An artifact that differs from what was recorded. */
interface Doubt {
  readonly need: Need;
  readonly artifact: NeededArtifact;
  readonly seen: SeenFile;
}

async function doubtsOf(needs: readonly Need[], { workspace }: Held, known: KnownArtifacts): Promise<readonly Doubt[]> {
  const doubts: Doubt[] = [];
  for (const need of needs) {
    for (const artifact of need.artifacts) {
      const seen = await seeFile(workspace.folder, artifact.path);
      const accepted = need.form === 'file' ? new Set([artifact.hash]) : known.accepted(artifact);
      if (seen.kind === 'none' || !accepted.has(seen.hash)) doubts.push({ need, artifact, seen });
    }
  }
  return doubts;
}

type Makers = ReadonlyMap<BytePath, NamedChange>;

/** Who last changed them. */
async function makersOf(
  { world, run, snapshot }: EffectContext,
  {
    doubts,
    held,
    records,
  }: { readonly doubts: readonly Doubt[]; readonly held: Held; readonly records: readonly JournalTreeRecord[] },
): Promise<Makers> {
  if (!world.workspaces.keepsFiles) return new Map();
  const store = await world.workspaces.store(snapshot.project);
  const entries = await store.entries(held.tree);
  const found = new Map<BytePath, TreeEntry | null>();
  for (const { artifact } of doubts) found.set(bytesOf(artifact.path), entries.get(bytesOf(artifact.path)) ?? null);
  const changes = namedChanges(records, { run, workspace: held.workspace.name, tree: held.tree });
  return await traceFiles(store, changes, found);
}

const bytesOf = (path: string): BytePath => Buffer.from(path, 'utf8').toString('latin1');

function isDropped({ need, artifact, seen }: Doubt, makers: Makers): boolean {
  if (need.form === 'file' || seen.kind === 'file') return false;
  const why = makers.get(bytesOf(artifact.path))?.fact.why ?? 'outside';
  return why !== 'outside';
}

/** Several agents changed the file in parallel, and their versions were merged: nothing else changed it. */
function isMerged({ need, artifact, seen }: Doubt, makers: Makers): boolean {
  if (need.form === 'file' || seen.kind === 'none') return false;
  return makers.get(bytesOf(artifact.path))?.fact.why === 'merge';
}

interface DoubtFacts {
  readonly known: KnownArtifacts;
  readonly makers: Makers;
}

function failureOf(wrong: readonly Doubt[], facts: DoubtFacts): Failure {
  const isChanged = wrong.some(({ seen }) => seen.kind === 'file');
  const phases = [...new Set(wrong.map(({ need }) => `"${need.phase}"`))].join(' and ');
  const sentences = wrong.slice(0, MOST_LISTED).map((doubt) => sentenceOf(doubt, facts));
  const more = wrong.length - sentences.length;
  return {
    code: isChanged ? 'ARTIFACT_CHANGED' : 'ARTIFACT_MISSING',
    message: [...sentences, ...(more > 0 ? [`So are ${more} more.`] : [])].join(' '),
    class: 'logic',
    hint: `Put the files back (\`troupe rollback\` shows to which record), or let ${phases} run again.`,
  };
}

const MOST_LISTED = 20;

function sentenceOf({ need, artifact, seen }: Doubt, { known, makers }: DoubtFacts): string {
  const recorded: Artifact | undefined = known.byId(artifact.id);
  const by = recorded === undefined ? '' : ` of ${recorded.producer}`;
  const who = `${shownPath(artifact.path)} is not what phase "${need.phase}"${by} recorded as "${need.name}"`;
  const change = makers.get(bytesOf(artifact.path));
  if (seen.kind === 'none')
    return `${who}: ${seen.why}${change === undefined ? '' : ` It was removed ${byWhom(change)}.`}`;
  return `${who}: it was changed ${change === undefined ? 'since' : byWhom(change)}.`;
}

function byWhom({ run, fact }: NamedChange): string {
  if (fact.why === 'outside' || fact.task === null) return 'from outside the run';
  return `in task ${fact.task} of ${run}`;
}
