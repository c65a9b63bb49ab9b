import { Fault } from '../../core/model/fault.ts';
import { processWide } from './rules/ambient.ts';
import { architectureWorkflow } from './shipped/architecture.ts';
import { developmentWorkflow } from './shipped/development.ts';
import { researchWorkflow } from './shipped/research.ts';
import { forgetConditions } from './rules/stage-condition.ts';
import type { StageDefinition } from './rules/stage-definition.ts';
import { validateDefinition } from './validate-definition.ts';

const shipped: ReadonlyMap<string, StageDefinition> = new Map([
  ['research', researchWorkflow],
  ['development', developmentWorkflow],
  ['architecture', architectureWorkflow],
  ['architect', architectureWorkflow],
]);

const registered = processWide('workflows', () => new Map<string, StageDefinition>());

/** The workflow of that name or alias. */
export function loadWorkflow(type: string): StageDefinition {
  const workflow = registered.get(type) ?? shipped.get(type);
  if (workflow !== undefined) return workflow;
  throw new Fault('WORKFLOW_UNKNOWN', `Unknown workflow type: ${type}`, {
    hint: `There are ${listWorkflows().join(', ')}.`,
    facts: { type },
  });
}

/** All names, aliases included: those that ship with Troupe first. */
export function listWorkflows(): string[] {
  return [...shipped.keys(), ...registered.keys()];
}

export interface RegisterOptions {
  /** Other names it can be started by. */
  readonly aliases?: readonly string[];
}

/** Makes a workflow known by the name in its definition. It is refused with all that is wrong with it. */
export function registerWorkflow(workflow: StageDefinition, { aliases = [] }: RegisterOptions = {}): StageDefinition {
  const problems = validateDefinition(workflow);
  const wrong = problems.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) {
    throw new Fault('BAD_STAGE_WORKFLOW', `The workflow ${nameOf(workflow)} has ${wrong.length} problems.`, {
      problems,
    });
  }
  const names = [workflow.definition.name, ...aliases];
  for (const name of names) refuseTaken(name, workflow);
  for (const name of names) registered.set(name, workflow);
  return workflow;
}

/** Forgets what was registered, conditions included: before the files of workflows are read again. */
export function forgetRegistered(): void {
  registered.clear();
  forgetConditions();
}

function nameOf(workflow: StageDefinition): string {
  const name: unknown = (workflow as Partial<StageDefinition> | undefined)?.definition?.name;
  return typeof name === 'string' && name !== '' ? name : 'without a name';
}

function refuseTaken(name: string, workflow: StageDefinition): void {
  const known = registered.get(name) ?? shipped.get(name);
  if (known === undefined || known === workflow) return;
  throw new Fault('WORKFLOW_TWICE', `There is a workflow ${name} already.`, {
    hint: 'Give the workflow another name in its definition.',
    facts: { name },
  });
}
