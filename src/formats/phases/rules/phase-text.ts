import type { OwedOutput } from '../../../core/record/artifact-fact.ts';
import type { PhaseCriterion, PhasePlan, PhaseReading } from './phase-state.ts';

/** The workspace at the start of the phase, and the input of its agent. */
export interface PhaseBegun {
  readonly since: string;
  /** The inputs, as the agent reads them. */
  readonly text: string;
  /** Whether the agent has a tool that writes files. */
  readonly writes: boolean;
}

/** The first order of a phase's agent. */
export function firstOrder(plan: PhasePlan, { instructions, outputs }: PhaseReading, begun: PhaseBegun): string {
  const known =
    Object.keys(plan.known).length === 0 ? '' : `Known facts about the outputs: ${JSON.stringify(plan.known)}`;
  return [`# Phase: ${plan.id}`, instructions, begun.text, handInText(outputs, begun), known]
    .filter((part) => part !== '')
    .join('\n\n');
}

function handInText(outputs: readonly OwedOutput[], { writes }: PhaseBegun): string {
  if (outputs.length === 0) return '';
  const how = writes
    ? 'Deliver these outputs: write the files, or hand them in with `submit_output`.'
    : 'Hand in each of these outputs with `submit_output`. You have no tool to write files.';
  return ['# Hand in', '', how, ...outputs.map(outputLine), ...exampleFor(outputs)].join('\n');
}

function outputLine({ name, form, path }: OwedOutput): string {
  if (form === 'changed') return `- ${name}: the files you create or change; the engine finds them itself`;
  return `- ${name}: ${form === 'files' ? `files that match ${path}` : path}`;
}

function exampleFor(outputs: readonly OwedOutput[]): readonly string[] {
  const first = outputs.find(({ form }) => form === 'file');
  if (first === undefined) return [];
  const given = { name: first.name, content: `the whole text of ${first.path}` };
  return [`Example: \`submit_output(${JSON.stringify(given)})\``];
}

export function criterionText(criterion: PhaseCriterion): string {
  if (typeof criterion === 'string') return criterion;
  return 'command' in criterion
    ? `\`${criterion.command}\` succeeds`
    : `these files exist: ${criterion.files.join(', ')}`;
}
