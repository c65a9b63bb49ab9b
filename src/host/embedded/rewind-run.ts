import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { Fault } from '../../core/model/fault.ts';
import { applyFact } from '../../core/fold/apply.ts';
import { doubtsOf } from '../../core/record/file-doubts.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import type { RunId } from '../../core/model/ids.ts';
import { openChildren, parentTask } from '../../core/fold/open-children.ts';
import { rewoundState } from '../../core/history/rewind.ts';
import type { Snapshot, WorkspaceFiles } from '../../core/fold/snapshot.ts';
import { stepEnd } from '../../core/step/step-end.ts';
import { isNothing } from '../../core/model/usage.ts';
import { notReported, unreportedCost } from '../../core/fold/tree-cost.ts';
import { unmergedRecord } from '../../core/record/unmerged-files.ts';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import { newestOf, type TreeMoment } from '../perform/files/known-files.ts';
import { rootOf } from '../perform/files/places.ts';
import type { Lease, StoredRecord } from '../../journal/port.ts';
import { runUnknown } from '../../journal/refusal.ts';
import type { RewindOptions, Rewound } from '../port.ts';
import type { World } from '../world.ts';
import { batchOf } from './batch.ts';
import { isOfRuns } from './inbox.ts';

/**
 * Rolls a run that no process drives back to an earlier record: its files, its machine and conversations, or both. Nothing
 * is removed from the journal; rolling back to the record before undoes it.
 */
export async function rewindRun(world: World, run: RunId, options: RewindOptions): Promise<Rewound> {
  const leases: Lease[] = [];
  try {
    // All of them before anything changes: one that is driven elsewhere would leave the tree half restored.
    const [first, ...below] = await holdAll(world, run, { options, leases });
    if (first === undefined) throw runUnknown(run);
    const rewound = await rewindHeld(world, first, options);
    for (const child of below) await rewindHeld(world, child, { ...options, files: false });
    return rewound;
  } finally {
    for (const lease of leases.toReversed()) await world.journal.release(lease);
  }
}

/** A run that is held, and the record that it returns to. */
interface HeldBack {
  readonly lease: Lease;
  readonly records: readonly StoredRecord[];
  readonly to: number;
}

/** The run and the children in progress then: each returns to the same commit, since its parent will call it again. */
async function holdAll(
  world: World,
  run: RunId,
  { options, leases }: { readonly options: RewindOptions; readonly leases: Lease[] },
): Promise<readonly HeldBack[]> {
  const { journal, owner } = world;
  const lease = await journal.lease(run, owner);
  leases.push(lease);
  const records = await journal.read(run);
  const to = stepAt(records, options.to);
  const held: HeldBack[] = [{ lease, records, to }];
  if (!options.conversation) return held;
  const commit = records[to - 1]?.commit ?? 0;
  for (const { run: child } of openChildren(foldRecords(records.slice(0, to)))) {
    if ((await journal.run(child)) === undefined) continue;
    const seq = (await journal.read(child)).findLast((record) => record.commit <= commit)?.seq ?? 1;
    held.push(...(await holdAll(world, child, { options: { ...options, to: seq }, leases })));
  }
  return held;
}

async function rewindHeld(world: World, held: HeldBack, options: RewindOptions): Promise<Rewound> {
  const { lease, records, to } = held;
  const [now, then] = [foldRecords(records), foldRecords(records.slice(0, to))];
  const commit = records[to - 1]?.commit ?? 0;
  const files = options.files ? await putFilesBack(world, now, { run: lease.run, seq: to, commit }) : [];
  const at = Math.max(now.at, world.clock.now());
  const state = options.conversation ? { ...rewoundState(then, at), ...definitionThen(now, then) } : null;
  const owed = options.conversation ? await owedByChildren(world, now) : [];
  const facts: readonly Fact[] = [...owed, ...files, { kind: 'run.rewound', to, by: options.by, state }];
  const snapshot = facts.reduce<Snapshot>((before, fact) => applyFact(before, fact, at), now);
  const unheard = options.conversation ? await voidMessages(world, now) : [];
  await world.journal.append(lease, batchOf(facts, { after: now.seq, snapshot, consumed: unheard }));
  const workspaces = files.flatMap((fact) =>
    'workspace' in fact && fact.workspace !== undefined ? [fact.workspace] : [],
  );
  return { undo: now.seq + owed.length + files.filter(isFound).length, workspaces: [...new Set(workspaces)] };
}

/** Earlier messages of the runs around it belong to the undone work; their cost is noted separately. */
async function voidMessages({ journal }: World, { run, parent }: Snapshot): Promise<readonly string[]> {
  return (await journal.inbox(run)).flatMap(({ id, body }) => (isOfRuns(body, parent) ? [id] : []));
}

/** What children in progress have spent so far: it stays spent even if the work that would report it is undone. */
async function owedByChildren({ journal }: World, now: Snapshot): Promise<readonly Fact[]> {
  const children = openChildren(now);
  const below = new Map<RunId, Snapshot>();
  const read = async (snapshot: Snapshot): Promise<void> => {
    for (const { run } of openChildren(snapshot)) {
      if ((await journal.run(run)) === undefined) continue;
      const child = foldRecords(await journal.read(run));
      below.set(run, child);
      await read(child);
    }
  };
  await read(now);
  return children.flatMap(({ id, run }): readonly Fact[] => {
    const child = below.get(run);
    if (child === undefined) return [];
    const spent = notReported(
      now,
      id,
      unreportedCost(child, (one) => below.get(one)),
    );
    if (isNothing(spent)) return [];
    return [{ kind: 'usage.noted', task: parentTask(id), ...spent, isOfChild: true }];
  });
}

/** Its position then belongs to that definition. */
const definitionThen = (now: Snapshot, { definition }: Snapshot): { readonly definition?: string } =>
  now.definition === definition ? {} : { definition };

function stepAt(records: readonly JournalRecord[], seq: number): number {
  if (seq >= 1 && seq <= records.length) return stepEnd(records, seq);
  throw new Fault('STEP_UNKNOWN', `There is no record ${seq}: the run has records 1 to ${records.length}.`);
}

const isFound = (fact: Fact): boolean => fact.kind === 'files.changed' && fact.why === 'outside';

/** Changes that were not recorded yet are recorded first, so that they can be restored. */
async function putFilesBack(world: World, now: Snapshot, then: TreeMoment): Promise<readonly Fact[]> {
  const root = rootOf(now.run);
  const goals = await newestOf(world, root, then);
  const began = now.files?.tree;
  // The run's own workspace would have held the run's first files then.
  if (began !== undefined && !goals.has(MAIN_WORKSPACE))
    goals.set(MAIN_WORKSPACE, { tree: began, base: began, version: 0 });
  const facts: Fact[] = [];
  for (const [workspace, present] of await newestOf(world, root)) {
    const goal = goals.get(workspace);
    // One that did not exist then is created again when it is used next, from the files the others have by then.
    if (goal !== undefined && goal.isGone !== true)
      facts.push(...(await putOneBack(world, now, { workspace, present, goal })));
    else if (present.isGone !== true) facts.push({ kind: 'workspace.gone', workspace, version: present.version + 2 });
  }
  return [...facts.filter(isFound), ...facts.filter((fact) => !isFound(fact))];
}

interface OneWorkspace {
  readonly workspace: string;
  readonly present: WorkspaceFiles;
  readonly goal: WorkspaceFiles;
}

async function putOneBack(world: World, now: Snapshot, one: OneWorkspace): Promise<readonly Fact[]> {
  const { workspace, present, goal } = one;
  const began = now.files?.tree ?? goal.tree;
  const request = { root: rootOf(now.run), name: workspace, project: now.project, tree: goal.tree, began };
  const { found = present.tree } = await world.workspaces.open(request);
  // If machines share the journal, people do not work in the folders of this one.
  const held = world.worker === undefined ? found : present.tree;
  const change = { kind: 'files.changed', workspace, task: null } as const;
  const { version, base } = present;
  const facts: Fact[] = [];
  if (held !== present.tree) {
    facts.push({
      ...change,
      tree: held,
      version: version + 1,
      base,
      why: 'outside',
      ...doubtsOf(present),
      ...unmergedRecord(present),
    });
  }
  if (held !== goal.tree || present.isGone === true || stands(present) !== stands(goal)) {
    facts.push({
      ...change,
      tree: goal.tree,
      base: goal.base,
      version: version + 2,
      why: 'rollback',
      ...doubtsOf(goal),
      ...unmergedRecord(goal),
    });
  }
  return facts;
}

/** The base of the next merge, and what has to be resolved before. */
const stands = ({ base, open, refused }: WorkspaceFiles): string =>
  JSON.stringify([base, open ?? null, refused ?? null]);
