import type { State, Transition, Workflow } from '../../../core/model/workflow.ts';
import { type RuleRow, ruleRowsOf } from '../rules/stage-definition.ts';
import {
  architectureWorkflow,
  developmentWorkflow,
  researchWorkflow,
  type StageCondition,
  type WorkflowStage,
} from '../stages.ts';
import type { Problem } from '../../../core/model/fault.ts';
import { keepDrawing } from '../../../source/drawing.ts';
import { byName, endState, to, workState } from '../../../source/model-parts.ts';
import { hasErrors } from '../../../source/checked.ts';
import { lowerStages } from './lower-stages.ts';
import { canLowerAgain } from './role-fallbacks.ts';
import type { StageModule, StagePlan } from './stage-plan.ts';
import type { ModuleContent, StageContent } from './module-content.ts';

/** Draws stages as their author sees them: each leads to its outputs. Routes known only to functions are not drawn. */
export function drawStages({ definition, rules = [] }: StagePlan, whole: Workflow): Workflow {
  const { stages, completionStage } = definition;
  const done = stages.some(({ name }) => name === 'done') ? 'the end' : 'done';
  const known = new Set(stages.map(({ name }) => name));
  // A transition to `complete` ends the workflow, unless a stage bears the name.
  const links = linksOf(stages, rules).map((link) => (known.has(link.to) ? link : { ...link, to: done }));
  const states = stages.map((stage): State => {
    const out = links.filter(({ from }) => from === stage.name).map((link) => labelled(link.to, link.label));
    const isEnd = stage.name === completionStage && !out.some(({ target }) => target === done);
    const end = isEnd ? [labelled(done, '')] : [];
    const turn = { kind: 'turn', agent: aboutOf(stage), mode: 'ask', input: text('') } as const;
    return workState(stage.name, turn, { transitions: [...out, ...end] });
  });
  return {
    ...whole,
    start: definition.entryStage,
    states: byName([...states, endState(done, 'ok', { output: 'null' })]),
  };
}

interface Link {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** Rules take precedence over declared outputs, and both over the inputs of a stage. */
function linksOf(stages: readonly WorkflowStage[], rules: readonly RuleRow[]): readonly Link[] {
  const byRules = rules.flatMap((rule) => ruleLinks(rule, stages));
  const declared = stages.flatMap(({ name, outputTo = [], outputType }) =>
    outputTo.map((target) => ({ from: name, to: target, label: outputType })),
  );
  const led = unique([...byRules, ...declared]);
  const isLed = ({ name }: WorkflowStage): boolean => led.some((link) => link.to === name && link.from !== name);
  const read = stages
    .filter((stage) => !isLed(stage))
    .flatMap(({ name, inputFrom = [] }) => inputFrom.map((from) => ({ from, to: name, label: 'input' })));
  return [...led, ...unique(read)];
}

/** A row is for what a role sends; where its stages declare where they lead, only those of them that lead there. */
function ruleLinks(rule: RuleRow, stages: readonly WorkflowStage[]): readonly Link[] {
  const target = rule.updateStage ?? stages.find(({ agent }) => agent === rule.routeTo)?.name;
  if (target === undefined) return [];
  const label = rule.isConditional ? `${rule.messageType}, if its rule holds` : rule.messageType;
  return stages
    .filter(({ agent, outputType }) => (rule.from === '*' || rule.from === agent) && outputType === rule.messageType)
    .filter(({ outputTo }) => outputTo === undefined || outputTo.includes(target))
    .map(({ name }) => ({ from: name, to: target, label }));
}

function unique(links: readonly Link[]): readonly Link[] {
  return links.filter(
    (link, index) => links.findIndex((other) => other.from === link.from && other.to === link.to) === index,
  );
}

function aboutOf({ agent, condition, maxIterations, optional, fallback = [] }: WorkflowStage): string {
  return [
    agent,
    ...(fallback.length === 0 ? [] : [`else ${fallback.join(', ')}`]),
    ...(condition === undefined ? [] : [`if ${conditionText(condition)}`]),
    ...(maxIterations === undefined ? [] : [`at most ${maxIterations} time${maxIterations === 1 ? '' : 's'}`]),
    ...(optional === true ? ['optional'] : []),
  ].join(', ');
}

const CONDITION_TEXT: Readonly<Record<StageCondition['type'], (condition: StageCondition) => string>> = {
  message_received: ({ messageType = 'message', from }) => `${messageType}${from === undefined ? '' : ` from ${from}`}`,
  verdict: ({ verdict = 'any' }) => `verdict ${verdict}`,
  count: ({ countField = '', threshold = 1 }) => `${countField} >= ${threshold}`,
  custom: ({ customCheck = '' }) => customCheck,
};

const conditionText = (condition: StageCondition): string => CONDITION_TEXT[condition.type](condition);

/** Words for people: a drawing is never run. */
const text = (source: string) => ({ kind: 'isolate', source, reads: [] }) as const;

const labelled = (target: string, label: string): Transition => ({ ...to(target), ...(label === '' ? {} : { label }) });

/** The workflows of a plan; when the roles are known, the first one may be lowered again with those who step in. */
export function plannedStages(plan: StagePlan): readonly Workflow[] {
  const workflows = lowerStages(plan);
  const [whole] = workflows;
  const roles = [...new Set(plan.definition.stages.map(({ agent }) => agent))];
  if (whole === undefined) return workflows;
  canLowerAgain(whole, { roles, lower: (fallback) => lowerStages({ ...plan, fallback }) });
  keepDrawing(whole, { workflow: drawStages(plan, whole), units: {} });
  return workflows;
}

/** The stage workflows that come with Troupe, by all their names. */
export function shippedStages(): readonly Workflow[] {
  const all = [
    { workflow: researchWorkflow },
    { workflow: developmentWorkflow },
    { workflow: architectureWorkflow },
    { workflow: architectureWorkflow, more: { alias: 'architect' } },
  ];
  return all.flatMap(({ workflow, more = {} }) => {
    const { definition } = workflow;
    return plannedStages({ definition, rules: ruleRowsOf(workflow), ...more, module: null, fallback: {} });
  });
}

export interface LoweredModule {
  readonly workflows: readonly Workflow[];
  readonly problems: readonly Problem[];
}

/** The valid ones, lowered, and all problems of the others. */
export function lowerModule({ stages }: ModuleContent, at: StageModule & { readonly file: string }): LoweredModule {
  const { file, path, hash } = at;
  const workflows = stages.flatMap(({ definition, rules, problems }) =>
    hasErrors(problems) ? [] : plannedStages({ definition, rules, file, module: { path, hash }, fallback: {} }),
  );
  return {
    workflows,
    problems: stages.flatMap((stage) => stage.problems.map((problem) => ({ ...named(problem, stage), file }))),
  };
}

/** Nothing says where in a module a field was written, so the sentence names the field, stages by their names. */
function named(problem: Problem, { definition }: StageContent): Problem {
  if (problem.path === undefined || problem.path === '') return problem;
  const { stages } = definition as { readonly stages?: readonly (Partial<WorkflowStage> | null)[] };
  const path = problem.path.replace(/^stages\[(\d+)\]/, (index, at: string) => {
    const name: unknown = Array.isArray(stages) ? stages[Number(at)]?.name : undefined;
    return typeof name === 'string' && name !== '' ? `stages.${name}` : index;
  });
  const workflow: unknown = definition.name;
  const whose = typeof workflow === 'string' && workflow !== '' ? `${workflow}, ` : '';
  return { ...problem, path, message: `${whose}${path}: ${problem.message}` };
}
