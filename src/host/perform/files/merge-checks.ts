import type { TreeId } from '../../../core/model/ids.ts';
import type { TreeStore } from '../../../workspace/store/port.ts';
import { commandFailure, type ShellResult } from '../../../tools/shell.ts';
import { commandLimit } from '../commands/command-limit.ts';
import type { LoggedMerge } from './merge-log.ts';
import { isJoined, type MergeRun, type MergeTrees } from './merge-sides.ts';
import type { EffectContext } from '../../world.ts';
import { rootOf } from './places.ts';
import { usersCopies } from '../commands/users-copies.ts';
import { refuseFullDisk } from '../tools/run-tool.ts';

/**
 * Which commands the merged files must pass, and whether they do (L4, Q9).
 *
 * [MC1] The commands of the workflow's `verify` must succeed.
 * [MC2] Where parallel work is joined: the author's own checks, and every command that work merged since the author began has
 *       passed, must succeed if they do on the side that they belong to.
 * [MC3] Where it is joined and `verify` names nothing: the project's own tests must succeed if they do on both sides alone.
 */
export async function checkMerge(context: EffectContext, order: MergeCheckOrder): Promise<MergeChecked> {
  const red: RedCheck[] = [];
  const passed: string[] = [];
  for (const check of await plannedChecks(context, order)) {
    const { command, rules } = check;
    const result = await tryOn(context, order, { command, tree: await guarded(order, command, 'merged') });
    if (isGreen(result)) {
      passed.push(command);
      continue;
    }
    const alone = await tryAlone(context, order, check);
    const isBroken = rules.some((sides) => sides.every((side) => alone[side] === true));
    if (isBroken) red.push({ command, alone, ...endOf(result) });
  }
  return { red, passed };
}

export interface MergeCheckOrder {
  readonly effect: MergeRun;
  readonly trees: MergeTrees;
  readonly target: string;
  readonly siblings: readonly LoggedMerge[];
  readonly store: TreeStore;
}

export interface MergeChecked {
  readonly red: readonly RedCheck[];
  readonly passed: readonly string[];
}

/** A command that failed on the merged files and should not have. */
export interface RedCheck {
  readonly command: string;
  readonly exitCode: number | null;
  /** Its exit code, or why it has none. */
  readonly how: string;
  readonly output: string;
  readonly alone: Alone;
}

type Side = 'author' | 'others';

/** Whether it succeeds on one side alone; null if that was not tried. */
export type Alone = Readonly<Record<Side, boolean | null>>;

interface PlannedCheck {
  readonly command: string;
  /** Sides that must pass it alone. A failure counts only if all sides of one rule do: otherwise the merge is not the cause. */
  readonly rules: readonly (readonly Side[])[];
}

async function plannedChecks(
  { world, snapshot }: EffectContext,
  { effect, trees, siblings }: MergeCheckOrder,
): Promise<readonly PlannedCheck[]> {
  const { verify = [], checks = [] } = effect;
  const named = verify.map((command) => [command, []] as const);
  if (!isJoined(trees)) return byCommand(named);
  const tests = verify.length > 0 ? [] : ((await world.testCommands?.(snapshot.project)) ?? []);
  return byCommand([
    ...named,
    ...checks.map((command) => [command, ['author']] as const),
    ...siblings.flatMap(({ passed }) => passed).map((command) => [command, ['others']] as const),
    ...tests.map((command) => [command, ['author', 'others']] as const),
  ]);
}

type Rule = readonly [command: string, sides: readonly Side[]];

function byCommand(rules: readonly Rule[]): readonly PlannedCheck[] {
  const grouped = Map.groupBy(rules, ([command]) => command);
  return [...grouped].map(([command, group]) => ({ command, rules: group.map(([, sides]) => sides) }));
}

/** Results on each side alone exist only if two sides were joined. */
async function tryAlone(context: EffectContext, order: MergeCheckOrder, { command }: PlannedCheck): Promise<Alone> {
  if (!isJoined(order.trees)) return { author: null, others: null };
  const passes = async (side: 'own' | 'ours'): Promise<boolean> =>
    isGreen(await tryOn(context, order, { command, tree: await guarded(order, command, side) }));
  return { author: await passes('own'), others: await passes('ours') };
}

const isGreen = (result: ShellResult): boolean => commandFailure(result) === null;

function endOf(result: ShellResult): Pick<RedCheck, 'exitCode' | 'how' | 'output'> {
  const { exitCode, output } = result;
  return {
    exitCode,
    output,
    how: exitCode === null ? (commandFailure(result)?.message ?? '') : `exit code ${exitCode}`,
  };
}

/** An author must not choose the measure of its own work (L4): guarded files are the user's. */
async function guarded(order: MergeCheckOrder, command: string, side: 'merged' | 'own' | 'ours'): Promise<TreeId> {
  const { store, trees, effect } = order;
  const { protect, verify = [] } = effect;
  const tree = trees[side];
  if (protect === undefined || side === 'ours' || !verify.includes(command)) return tree;
  const base = side === 'merged' ? trees.ours : trees.base;
  return (await usersCopies(store, { base, tree, command, protect })).tree;
}

/** Runs the command in a folder with exactly these files, one folder per target, which belongs to this merge while it lasts. */
async function tryOn(
  context: EffectContext,
  { target, effect }: MergeCheckOrder,
  { command, tree }: { readonly command: string; readonly tree: TreeId },
): Promise<ShellResult> {
  const { world, run, snapshot, places, signal } = context;
  const scratch = await world.workspaces.open({
    root: rootOf(run),
    name: `${target}.scratch`,
    project: snapshot.project,
    tree,
    began: await places.began(context),
    signal,
  });
  const limit = commandLimit(context, effect.task);
  const result = await world.shell(command, { place: scratch, access: 'write', network: false, signal, ...limit });
  signal.throwIfAborted();
  if (!isGreen(result)) refuseFullDisk(scratch);
  return result;
}
