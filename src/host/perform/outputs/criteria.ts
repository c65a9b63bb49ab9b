import type { Artifact } from '../../../core/record/artifact-fact.ts';
import type { ComputeRun } from '../../../core/model/effect.ts';
import { readPlan } from '../../../source/task-list.ts';
import { missingFiles } from '../files/missing-files.ts';
import type { EffectContext } from '../../world.ts';
import { artifactText } from './artifact-text.ts';
import type { Held } from '../commands/in-place.ts';
import type { KnownArtifacts } from './known-artifacts.ts';
import type { Criterion } from './step-input.ts';
import { runCheck } from './run-check.ts';

/** The result of one success criterion. */
export interface CriterionResult {
  readonly text: string;
  /** False: it is text that only a person or an agent can judge. */
  readonly checked: boolean;
  /** Null if it was not checked. */
  readonly held: boolean | null;
  /** Why it is not met, or was not checked. */
  readonly why?: string;
}

export interface CriteriaOrder {
  readonly effect: ComputeRun;
  readonly held: Held;
  /** Whose work it is. */
  readonly agent: string;
  readonly criteria: readonly Criterion[];
  /** The ids of the artifacts given to the phase, including the list of tasks. */
  readonly dependencies: readonly string[];
  readonly known: KnownArtifacts;
}

/** Checks what can be checked (L4): files that must exist, commands that must succeed. The rest is listed as unchecked. */
export async function checkCriteria(context: EffectContext, order: CriteriaOrder): Promise<readonly CriterionResult[]> {
  const results: CriterionResult[] = [];
  for (const criterion of order.criteria) {
    const check = await checkOf(context, order, criterion);
    if ('why' in check) results.push({ text: check.text, checked: false, held: null, why: check.why });
    else results.push(await resultOf(context, order, check));
  }
  return results;
}

/** How to check a criterion, or why it cannot be checked. */
type Check =
  | { readonly text: string; readonly commands: readonly string[]; readonly files: readonly string[] }
  | { readonly text: string; readonly why: string };

async function checkOf(context: EffectContext, order: CriteriaOrder, criterion: Criterion): Promise<Check> {
  if (typeof criterion !== 'string') {
    if ('command' in criterion) return { text: criterion.command, commands: [criterion.command], files: [] };
    return { text: `These files exist: ${criterion.files.join(', ')}`, commands: [], files: criterion.files };
  }
  const text = criterion;
  const plain = criterion
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[.!]+$/, '');
  if (TESTS_PASS.test(plain)) {
    const commands = (await context.world.testCommands?.(context.snapshot.project)) ?? [];
    return commands.length > 0 ? { text, commands, files: [] } : { text, why: 'No test command is known here.' };
  }
  if (!FILES_CREATED.test(plain)) return { text, why: 'It cannot be checked by the engine.' };
  const files = await plannedFiles(context, order);
  return files.length > 0
    ? { text, commands: [], files }
    : { text, why: 'No list of tasks that names files came with the phase.' };
}

const TESTS_PASS = /^(?:all )?(?:the )?tests (?:pass|passed|are passing|are green)$/;
const FILES_CREATED = /^all (?:the )?files in (?:the )?task list (?:(?:are |were |have been )?created|exist)$/;

/** The files named by the lists of tasks that the phase depends on, in those versions. */
async function plannedFiles(context: EffectContext, order: CriteriaOrder): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const id of order.dependencies) {
    const artifact = order.known.byId(id);
    if (artifact === undefined || !isTaskList(artifact)) continue;
    const text = await artifactText(context, artifact, order.held);
    const plan = text === null ? null : readPlan(text, artifact.path);
    if (plan?.ok === true) for (const task of plan.value.tasks) for (const file of task.files) found.add(file);
  }
  return [...found];
}

const isTaskList = ({ type, path }: Artifact): boolean => type === 'plan' && /\.json$/i.test(path);

async function resultOf(
  context: EffectContext,
  { effect, held, agent }: CriteriaOrder,
  { text, commands, files }: Extract<Check, { commands: unknown }>,
): Promise<CriterionResult> {
  const absent = await missingFiles(held.workspace.folder, files, context.signal);
  const reasons = [...absent.values()];
  for (const command of commands) {
    const why = await runCheck(context, { effect, held, agent, command });
    if (why !== null) reasons.push(why);
  }
  if (reasons.length === 0) return { text, checked: true, held: true };
  return { text, checked: true, held: false, why: reasons.join(' ') };
}
