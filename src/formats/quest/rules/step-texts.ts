import { filesNote, listText, wantedText, wardSummary, appendOrder } from './quest-texts.ts';
import type { RoleRules } from './quest-table.ts';
import type { FinishedStep, StepTask, StepState } from './step-state.ts';

/** Prompts for agents within a step, made from the known facts. */

/** The step and all that it belongs to. */
export function aboutText({ step, ward, quest }: StepTask): string {
  const context = step.context === '' ? '' : `\n\n${step.context}`;
  return (
    `"${step.id}": ${step.title}${context}` +
    listText('It is done when', step.acceptance) +
    listText('Files that must exist when it is done', step.files) +
    listText('Commands that the engine runs', [...(step.checks ?? []), ...ward]) +
    `\n\n# The whole request\n\n${quest.request}${wantedText(quest)}` +
    listText('All steps; other agents do the others', quest.steps) +
    listText('Done before this step, and in your files', quest.before.map(finishedText))
  );
}

const finishedText = ({ id, summary, files }: FinishedStep): string => `${id}: ${summary}${filesNote(files)}`;

/** The first prompt of a step. The order is for the implementer: a step made for another role has its own instructions. */
export function stepOrder(task: StepTask, role: RoleRules | undefined): string {
  return appendOrder(`Your step is ${aboutText(task)}`, role?.does === 'implement' ? role.order : '');
}

export const handInText = ({ step }: StepTask): string =>
  `\n\n# Hand in\n\nCall \`signal_back\` once, as your last action, with the stepId "${step.id}".`;

/** Added for a role that may split the step. */
export const SPLIT_TEXT = ' To split the step, call `plan_steps` instead.';

/** A role is called in by another one. */
export interface CalledIn {
  readonly caller: string;
  readonly reason: string;
  readonly context: string;
  /** It knows the step already. */
  readonly isKnown: boolean;
  readonly canSplit: boolean;
  readonly order: string;
}

export function calledText(task: StepTask, called: CalledIn): string {
  const { step } = task;
  const { caller, reason, context, isKnown, canSplit, order } = called;
  const text =
    `You are called in for the step "${step.id}" (${step.title}) by ${caller}.\n\n# Why\n\n${reason}` +
    `\n\n# What to know\n\n${context}${isKnown ? '' : `\n\n# The step\n\nThe step is ${aboutText(task)}`}` +
    `\n\nThe id of the step is "${step.id}".${canSplit ? SPLIT_HOW : ''}`;
  return appendOrder(text, order);
}

const SPLIT_HOW =
  ' If it has to be split, hand in the parts that others shall do with `plan_steps`; their ids need only be unique among themselves.';

export function testOrder(task: StepTask, state: StepState, { by, order }: Record<'by' | 'order', string>): string {
  const said = `${by.slice(0, 1).toUpperCase()}${by.slice(1)} says: ${state.summary}`;
  const text = `The step to test is ${aboutText(task)}\n\n# To test\n\n${said}\n\n${wardSummary(task.ward, state.ward_passed)}`;
  return appendOrder(text, order);
}

const MOST_OUTPUT = 8000;

export function fixOrder(task: StepTask, failed: Record<'output' | 'order', string>): string {
  const { step, ward } = task;
  const ran = `Ward fails on the step "${step.id}" (${step.title}). The engine ran: ${ward.join(', ')}`;
  const text = `${ran}. The output ended with:\n\n${failed.output.slice(-MOST_OUTPUT)}`;
  return `${appendOrder(text, failed.order)}\n\n# The step\n\nThe step is ${aboutText(task)}`;
}

export const settleText = ({ step }: StepTask, advice: string): string =>
  `${advice}\nThe other side is the work of other steps, which stays: keep the intention of both. The step is "${step.id}".`;

export const changesText = (say: string, diff: string): string =>
  `${say}\n\n# All changes of this step so far\n\n${diff}`;

export const calleeDone = ({ step }: StepTask, role: string, summary: string): string =>
  `${role} is done: ${summary}\nContinue with the step "${step.id}".`;
