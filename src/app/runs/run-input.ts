import { CHECKS_FROM_INPUT, CHECKS_INPUT, takesList } from '../../core/model/checks-input.ts';
import { Fault, type Problem } from '../../core/model/fault.ts';
import type { Json, JsonObject } from '../../core/model/json.ts';
import { DEFAULT_LIMITS, type Limits, type Workflow } from '../../core/model/workflow.ts';
import { checkInput, type GivenInput } from '../../formats/check-input.ts';
import { valueOrFault } from '../../source/checked.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { missingProgram, type NamedCommand, refuseUnusableChecks } from '../project-checks/usable-checks.ts';
import type { SessionRequest } from './session.ts';
import { pathInProject } from '../config/project.ts';
import { findChecks } from '../project-checks/find-checks.ts';
import type { LimitName } from '../../core/record/limit-fact.ts';
import { familyOf } from '../../formats/families.ts';

/** The input of a run, by name or as one value for the first, as its workflow wants it. */
export async function runInput(given: GivenInput, workflow: Workflow): Promise<JsonObject> {
  const input = valueOrFault(checkInput(workflow, given), 'INPUT_INVALID');
  refuseEmpty(input, workflow);
  await refuseUnfit(input, workflow);
  return input;
}

/** The schemas that the workflow was defined with hold on every face. INPUT_INVALID. */
export async function refuseUnfit(input: JsonObject, { inputs }: Workflow): Promise<void> {
  const strict = inputs.filter(({ name, schema }) => schema !== undefined && input[name] !== undefined);
  if (strict.length === 0) return;
  const { validateArguments } = await import('../../tools/validate-arguments.ts');
  const problems = strict.flatMap(({ name, schema = {} }): readonly Problem[] => {
    const wrong = validateArguments(schema, input[name] ?? null);
    const message = `The input "${name}" does not fit: ${wrong}.`;
    return wrong === null ? [] : [{ code: 'INPUT_INVALID', message, severity: 'error', path: `input.${name}` }];
  });
  const [first] = problems;
  if (first !== undefined) throw new Fault('INPUT_INVALID', first.message, { problems });
}

/** Agents would be paid to guess what an empty task means. */
export function refuseEmpty(input: JsonObject, { name: workflow, inputs }: Workflow): void {
  const empty = inputs.find(({ name, required }) => required && isBlank(input[name]));
  if (empty === undefined) return;
  const about = empty.description === '' ? '' : `: ${empty.description}`;
  throw new Fault('INPUT_EMPTY', `The input "${empty.name}" of "${workflow}" is empty${about}.`, {
    hint: `As in: troupe run ${workflow} ${empty === inputs[0] ? '' : `--input ${empty.name}=`}"…"`,
  });
}

const isBlank = (value: Json | undefined): boolean => typeof value === 'string' && value.trim() === '';

/** The title of a run in lists: the beginning of its first input. */
export function runTitle(input: JsonObject): string {
  const [first] = Object.values(input);
  if (first === undefined) return '';
  return oneLine(typeof first === 'string' ? first : JSON.stringify(first), 100);
}

/**
 * Refuses a review whose command names a program that is not on the path. In a terminal the run itself asks about it before
 * the first paid call.
 */
export function refuseUnusableVerify(input: JsonObject, workflow: Workflow, { project, actors }: SessionRequest): void {
  const { verifyInput } = familyOf(workflow);
  const command = verifyInput === undefined ? undefined : (input[verifyInput] ?? workflow.data[verifyInput]);
  if (typeof command !== 'string' || command.trim() === '') return;
  const why = missingProgram(command, { root: project.root, environment: actors.environment });
  if (why === null) return;
  throw new Fault('VERIFY_UNUSABLE', `The command \`${command}\` cannot be run: ${why} No agent was started.`, {
    hint: 'Install what is missing, name another command with --input verify="…", or go without: --input verify=""',
    facts: { command },
  });
}

/**
 * A workflow that takes the project's checks and was given none gets those of the configuration, or what is found in the project.
 * Commands that are not there are refused now, wherever they come from.
 */
export async function withChecks(
  input: JsonObject,
  workflow: Workflow,
  { project, actors }: Pick<SessionRequest, 'project' | 'actors'>,
): Promise<JsonObject> {
  if (!takesList(workflow, CHECKS_INPUT)) return input;
  const checks = givenChecks(input[CHECKS_INPUT]) ?? (await configuredChecks(project));
  refuseUnusableChecks(checks, { root: project.root, environment: actors.environment });
  if (input[CHECKS_INPUT] !== undefined) return input;
  const from = takesList(workflow, CHECKS_FROM_INPUT) ? { [CHECKS_FROM_INPUT]: checks.map((one) => one.from) } : {};
  return { ...input, [CHECKS_INPUT]: checks.map(({ command }) => command), ...from };
}

function givenChecks(given: Json | undefined): readonly NamedCommand[] | null {
  if (given === undefined) return null;
  const commands = Array.isArray(given) ? given : [];
  return commands.flatMap((command: Json) =>
    typeof command === 'string' ? [{ command, from: `--input ${CHECKS_INPUT}` }] : [],
  );
}

async function configuredChecks({
  config,
  configFiles,
  root,
}: SessionRequest['project']): Promise<readonly NamedCommand[]> {
  if (config.ward === null) return await findChecks(root);
  const from = configFiles.map((file) => pathInProject(file, root)).join(' or ');
  return config.ward.map((command) => ({ command, from }));
}

/** A requested limit wins; else the tighter of the workflow's and the configured one. */
export function limitsFor(workflow: Workflow, configured: Partial<Limits>, wished: Partial<Limits>): Partial<Limits> {
  const tighter = Object.entries(configured).filter(([name, value]) => {
    const own = workflow.limits[name as LimitName];
    const isDefault = own === undefined || own === (DEFAULT_LIMITS as Partial<Limits>)[name as LimitName];
    return isDefault || value < own;
  });
  return { ...Object.fromEntries(tighter), ...wished };
}
