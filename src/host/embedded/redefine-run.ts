import { applyFact } from '../../core/fold/apply.ts';
import { Fault } from '../../core/model/fault.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import type { RunId } from '../../core/model/ids.ts';
import { openChildren } from '../../core/fold/open-children.ts';
import { misfits, redefinition } from '../../core/history/redefine.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { RedefineOptions } from '../port.ts';
import type { World } from '../world.ts';
import { batchOf } from './batch.ts';
import { usesFiles } from './beginning.ts';
import { childDefinition } from './child-run.ts';
import type { DefinitionStore } from './definition-store.ts';

/**
 * Changes the definition of a run that no process drives, and of all open runs below it (ST5). All of them must fit before
 * anything is written. The run itself comes last: if this process dies on the way, the run still has the old definition, and
 * a second request finds the rest done.
 */
export async function redefineRun(
  world: World,
  definitions: DefinitionStore,
  { run, definition, by, needs }: RedefineOptions & { readonly run: RunId },
): Promise<void> {
  const tree = await planTree(world, definitions, { run, definition });
  const reasons = tree.flatMap((one) => one.reasons);
  if (reasons.length > 0) throw definitionMisfit(run, reasons);
  // Later than every record of the tree: a rollback restores children by time, and must undo this in them too.
  const at = Math.max(world.clock.now(), ...tree.map((one) => one.at + 1));
  // Child runs use the needs of their root.
  for (const one of tree.toReversed())
    await redefineOne(world, definitions, { ...one, at, by, needs: one.run === run ? needs : undefined });
}

/** Why it does not fit; empty if it does. Nothing is written. */
export async function redefinitionMisfits(
  world: World,
  definitions: DefinitionStore,
  order: { readonly run: RunId; readonly definition: Definition },
): Promise<readonly string[]> {
  return (await planTree(world, definitions, order)).flatMap(({ reasons }) => reasons);
}

interface Planned {
  readonly run: RunId;
  readonly definition: Definition;
  /** The time of the run's last record; when it is carried out, the time of the redefinition. */
  readonly at: number;
  readonly reasons: readonly string[];
}

/** The run, then those below it. */
async function planTree(
  world: World,
  definitions: DefinitionStore,
  { run, definition }: { readonly run: RunId; readonly definition: Definition },
): Promise<readonly Planned[]> {
  const snapshot = foldRecords(await world.journal.read(run));
  if (snapshot.status === 'settled') return [];
  const reasons = [...misfits(definition, snapshot), ...filesMisfits(world, definition, snapshot)];
  const { at, parent } = snapshot;
  const own: Planned = { run, definition, at, reasons: parent === null ? reasons : named(run, reasons) };
  // Below a removed workflow there is nothing to compare with.
  if (reasons.length > 0) return [own];
  const below = openChildren(snapshot).map(async ({ id, run: child }) => {
    if ((await world.journal.run(child)) === undefined) return [];
    const changed = await definitionBelow(world, definitions, { parent: definition, task: snapshot.tasks[id], child });
    return typeof changed === 'string'
      ? [{ run: child, definition, at, reasons: [changed] }]
      : await planTree(world, definitions, { run: child, definition: changed });
  });
  return [own, ...(await Promise.all(below)).flat()];
}

/** The project's files are recorded when a run begins; later they are unknown. */
function filesMisfits({ tools }: World, definition: Definition, { parent, files }: Snapshot): readonly string[] {
  if (parent !== null || files !== null || !usesFiles(definition, tools)) return [];
  return ['It began without files, and now somebody works with them.'];
}

const named = (run: RunId, reasons: readonly string[]): readonly string[] =>
  reasons.map((reason) => `Below it, ${run}: ${reason}`);

interface Below {
  readonly parent: Definition;
  /** The task that called it; none for a sub-agent. */
  readonly task: Snapshot['tasks'][string] | undefined;
  readonly child: RunId;
}

/** A called workflow is the one of that name; that of a sub-agent is made from its role. Otherwise the reason why there is none. */
async function definitionBelow(
  world: World,
  definitions: DefinitionStore,
  { parent, task, child }: Below,
): Promise<Definition | string> {
  if (task?.work.kind === 'turn' && task.work.apart === true) return parent;
  if (task?.work.kind === 'call') return childDefinition(parent, task.work.workflow);
  const { workflow } = await definitions.load(foldRecords(await world.journal.read(child)));
  const missing = workflow.agents.find(({ role }) => !Object.hasOwn(parent.roles, role));
  if (missing === undefined) return { ...parent, workflow };
  return `The role "${missing.role}" is at work as a sub-agent (${child}), and is no longer there.`;
}

interface Redefining {
  readonly by: string;
  readonly needs: readonly string[] | undefined;
}

async function redefineOne(
  world: World,
  definitions: DefinitionStore,
  { run, definition, at, by, needs }: Planned & Redefining,
): Promise<void> {
  const { journal, owner } = world;
  const hash = await definitions.store(definition);
  const lease = await journal.lease(run, owner);
  try {
    const now = foldRecords(await journal.read(run));
    if (now.status === 'settled' || now.definition === hash) return;
    const reasons = misfits(definition, now);
    // Another process may have driven it before this one got it.
    if (reasons.length > 0) throw definitionMisfit(run, reasons);
    const fact = redefinition(definition, now, { hash, by, needs });
    const snapshot = applyFact(now, fact, Math.max(now.at, at));
    await journal.append(lease, batchOf([fact], { after: now.seq, snapshot }));
  } finally {
    await journal.release(lease);
  }
}

export function definitionMisfit(run: RunId, reasons: readonly string[]): Fault {
  return new Fault(
    'DEFINITION_MISFIT',
    `Run ${run} cannot continue with the changed definition: ${reasons.join(' ')}`,
    {
      hint: `Continue as it began: troupe resume ${run} --definition started. Or put it back to a step that both have: troupe rollback ${run} --to STEP`,
      facts: { reasons },
    },
  );
}
