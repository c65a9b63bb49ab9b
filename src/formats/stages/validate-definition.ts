import type { ProblemCode } from '../../core/codes/problem-codes.ts';
import type { Problem } from '../../core/model/fault.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { MESSAGE_TYPES, STAGE_VERDICTS } from './rules/agent-message.ts';
import { ruleRowsOf, type StageDefinition } from './rules/stage-definition.ts';
import { isConditionKnown } from './rules/stage-condition.ts';
import type { StageCondition, WorkflowDefinition, WorkflowStage } from './rules/workflow-definition.ts';

/** Everything that is wrong with a workflow before it runs, each with a code and a path into the definition. */
export function validateDefinition(workflow: StageDefinition): Problem[] {
  const missing = missingParts(workflow);
  if (missing.length > 0) return missing;
  const { definition } = workflow;
  return [
    ...headProblems(definition),
    ...definition.stages.flatMap((stage, at) => stageProblems(stage, `stages[${at}]`, definition)),
    ...circles(definition),
    ...unreached(definition),
    ...configProblems(definition),
    ...ruleProblems(workflow),
  ];
}

const FUNCTIONS = [
  'getRoles',
  'createInitialTask',
  'routeMessage',
  'isComplete',
  'getNextStage',
  'onStageComplete',
  'synthesizeResult',
] as const;

/** The object may come from a file that nothing has type-checked. */
function missingParts(workflow: unknown): Problem[] {
  if (!isJsonObject(workflow)) return [problem('NO_WORKFLOW', '', 'This is not a workflow object.')];
  const parts: Record<string, unknown> = workflow;
  const functions = FUNCTIONS.filter((name) => typeof parts[name] !== 'function').map((name) =>
    problem('NO_FUNCTION', name, `The workflow has no function ${name}.`),
  );
  const definition: unknown = parts['definition'];
  if (!isJsonObject(definition)) return [...functions, problem('NO_DEFINITION', 'definition', 'It has no definition.')];
  const lists = (['agents', 'stages'] as const)
    .filter((name) => !Array.isArray(definition[name]))
    .map((name) => problem('NO_LIST', name, `${name} must be a list.`));
  const config = isJsonObject(definition['config']) ? [] : [problem('NO_CONFIG', 'config', 'It has no config.')];
  const stages: readonly unknown[] = Array.isArray(definition['stages']) ? definition['stages'] : [];
  return [...functions, ...lists, ...config, ...stages.flatMap((stage, at) => shapeProblems(stage, `stages[${at}]`))];
}

function shapeProblems(stage: unknown, path: string): Problem[] {
  if (!isJsonObject(stage)) return [problem('NO_STAGE', path, 'A stage is an object with name, agent and outputType.')];
  const lists = (['inputFrom', 'inputTypes', 'given', 'outputTo', 'fallback'] as const)
    .filter((field) => stage[field] !== undefined && !Array.isArray(stage[field]))
    .map((field) => problem('NO_LIST', `${path}.${field}`, `${field} must be a list.`));
  const isOdd = stage['condition'] !== undefined && !isJsonObject(stage['condition']);
  return isOdd ? [...lists, problem('UNKNOWN_CONDITION', `${path}.condition`, 'A condition is an object.')] : lists;
}

function headProblems(definition: WorkflowDefinition): Problem[] {
  const names = definition.stages.map(({ name }) => name);
  const found: Problem[] = [];
  if (!isWord(definition.name)) found.push(problem('NO_NAME', 'name', 'The workflow needs a name.'));
  for (const field of ['entryStage', 'completionStage'] as const) {
    if (names.includes(definition[field])) continue;
    found.push(unknownStage(definition[field], field, names));
  }
  names.forEach((name, at) => {
    const path = `stages[${at}].name`;
    if (!isWord(name)) found.push(problem('NO_NAME', path, 'A stage needs a name.'));
    if (names.indexOf(name) < at) found.push(problem('STAGE_DUPLICATE', path, `There are two stages named "${name}".`));
  });
  return found;
}

function stageProblems(stage: WorkflowStage, path: string, definition: WorkflowDefinition): Problem[] {
  return [
    ...roleProblems(stage, path, definition),
    ...linkProblems(stage, path, definition),
    ...typeProblems(stage, path),
    ...conditionProblems(stage, `${path}.condition`),
    ...numberProblems(stage, path),
  ];
}

function roleProblems(stage: WorkflowStage, path: string, { agents }: WorkflowDefinition): Problem[] {
  const known = new Set<unknown>([...agents, 'orchestrator']);
  const played = [
    { role: stage.agent, at: `${path}.agent` },
    ...(stage.fallback ?? []).map((role, at) => ({ role, at: `${path}.fallback[${at}]` })),
  ];
  return played
    .filter(({ role }) => !known.has(role))
    .map(({ role, at }) =>
      problem('UNKNOWN_ROLE', at, `"${String(role)}" is not one of the agents of the workflow: ${agents.join(', ')}.`),
    );
}

function linkProblems(stage: WorkflowStage, path: string, { stages }: WorkflowDefinition): Problem[] {
  const names = stages.map(({ name }) => name);
  return (['inputFrom', 'outputTo'] as const).flatMap((field) =>
    (stage[field] ?? []).flatMap((name, at) =>
      names.includes(name) ? [] : [unknownStage(name, `${path}.${field}[${at}]`, names)],
    ),
  );
}

function typeProblems(stage: WorkflowStage, path: string): Problem[] {
  const given = [
    { type: stage.outputType, at: `${path}.outputType` },
    ...(['inputTypes', 'given'] as const).flatMap((field) =>
      (stage[field] ?? []).map((type, at) => ({ type, at: `${path}.${field}[${at}]` })),
    ),
    ...(stage.iterationTrigger === undefined ? [] : [{ type: stage.iterationTrigger, at: `${path}.iterationTrigger` }]),
  ];
  return given
    .filter(({ type }) => !MESSAGE_TYPES.includes(type))
    .map(({ type, at }) =>
      problem('UNKNOWN_TYPE', at, `"${type}" is not a type of message. There are ${MESSAGE_TYPES.join(', ')}.`),
    );
}

function conditionProblems({ condition }: WorkflowStage, path: string): Problem[] {
  if (condition === undefined) return [];
  const check: ((condition: StageCondition) => Wrong | undefined) | undefined = CONDITIONS[condition.type];
  if (check === undefined) {
    return [problem('UNKNOWN_CONDITION', `${path}.type`, `"${condition.type}" is not a type of condition.`)];
  }
  const wrong = check(condition);
  return wrong === undefined ? [] : [problem(wrong.code, `${path}.${wrong.field}`, wrong.message)];
}

interface Wrong {
  readonly code: ProblemCode;
  readonly field: keyof StageCondition;
  readonly message: string;
}

const CONDITIONS: Readonly<Record<StageCondition['type'], (condition: StageCondition) => Wrong | undefined>> = {
  message_received: ({ messageType }) =>
    messageType === undefined || MESSAGE_TYPES.includes(messageType)
      ? undefined
      : { code: 'UNKNOWN_TYPE', field: 'messageType', message: `"${messageType}" is not a type of message.` },
  verdict: ({ verdict }) =>
    verdict === undefined || STAGE_VERDICTS.includes(verdict)
      ? undefined
      : { code: 'UNKNOWN_VERDICT', field: 'verdict', message: `A verdict is one of ${STAGE_VERDICTS.join(', ')}.` },
  count: ({ countField }) =>
    isWord(countField)
      ? undefined
      : { code: 'NO_COUNT_FIELD', field: 'countField', message: 'A condition on a count needs countField.' },
  custom: ({ customCheck = '' }) =>
    isConditionKnown(customCheck)
      ? undefined
      : { code: 'UNKNOWN_CONDITION', field: 'customCheck', message: `No condition is registered as "${customCheck}".` },
};

function numberProblems(stage: WorkflowStage, path: string): Problem[] {
  return [
    ...notPositive(stage.timeout, `${path}.timeout`, 'DURATION_INVALID'),
    ...notPositive(stage.maxIterations, `${path}.maxIterations`, 'LIMIT_INVALID'),
  ];
}

const STRATEGIES = new Set<unknown>(['abort', 'continue', 'retry']);

function configProblems({ config }: WorkflowDefinition): Problem[] {
  const { maxRevisions } = config;
  return [
    ...notPositive(config.maxDuration, 'config.maxDuration', 'DURATION_INVALID'),
    ...notPositive(config.functionTimeout, 'config.functionTimeout', 'DURATION_INVALID'),
    ...(maxRevisions === undefined || (Number.isInteger(maxRevisions) && maxRevisions >= 0)
      ? []
      : [problem('LIMIT_INVALID', 'config.maxRevisions', 'maxRevisions must be a whole number, 0 or more.')]),
    ...(STRATEGIES.has(config.failureStrategy)
      ? []
      : [problem('UNKNOWN_STRATEGY', 'config.failureStrategy', 'failureStrategy is abort, continue or retry.')]),
  ];
}

function notPositive(value: number | undefined, path: string, code: ProblemCode): Problem[] {
  if (value === undefined || (Number.isFinite(value) && value > 0)) return [];
  return [problem(code, path, `It must be more than 0; it is ${String(value)}.`)];
}

/** A transition to here ends the workflow, unless a stage bears the name. */
const COMPLETE = 'complete';

/**
 * Rows of `routeByRules` that lead nowhere or can never match. `getRoles` is code and may know more roles than the definition, so
 * those are warnings.
 */
function ruleProblems(workflow: StageDefinition): Problem[] {
  const { stages, agents } = workflow.definition;
  const names = stages.map(({ name }) => name);
  const players = stages.flatMap(({ agent, fallback = [] }) => [agent, ...fallback]);
  const roles = new Set<unknown>([...agents, ...players, 'orchestrator']);
  return ruleRowsOf(workflow).flatMap(({ from, routeTo, updateStage }, at) => {
    const path = `routeByRules[${at}]`;
    const senders = new Set<unknown>([...roles, '*']);
    const isLost = updateStage !== undefined && updateStage !== COMPLETE && !names.includes(updateStage);
    return [
      ...(senders.has(from) ? [] : [strangeRole(from, `${path}.from`, roles)]),
      ...(roles.has(routeTo) ? [] : [strangeRole(routeTo, `${path}.routeTo`, roles)]),
      ...(isLost ? [unknownStage(updateStage, `${path}.updateStage`, [...names, COMPLETE])] : []),
    ];
  });
}

function strangeRole(role: unknown, path: string, roles: ReadonlySet<unknown>): Problem {
  const message = `"${String(role)}" is not one of the agents of the workflow: ${[...roles].join(', ')}.`;
  return { ...problem('UNKNOWN_ROLE', path, message), severity: 'warning' };
}

/** Stages that wait for each other: none of them could ever begin. The entry stage begins without its inputs. */
function circles({ stages, entryStage }: WorkflowDefinition): Problem[] {
  const names = new Set(stages.map(({ name }) => name));
  const beginning = new Set([entryStage]);
  const canBegin = ({ inputFrom = [] }: WorkflowStage): boolean =>
    inputFrom.every((input) => beginning.has(input) || !names.has(input));
  for (let before = -1; before < beginning.size;) {
    before = beginning.size;
    for (const stage of stages) if (canBegin(stage)) beginning.add(stage.name);
  }
  return stages.flatMap(({ name, inputFrom = [] }, at) =>
    beginning.has(name)
      ? []
      : [
          problem(
            'INPUT_CYCLE',
            `stages[${at}].inputFrom`,
            `"${name}" waits for ${inputFrom.join(', ')}, and that waits for "${name}" in the end.`,
          ),
        ],
  );
}

/**
 * Stages that no declared output leads to. `routeMessage` is code and may lead anywhere, so it is a warning, and only if the definition
 * declares outputs at all.
 */
function unreached({ stages, entryStage }: WorkflowDefinition): Problem[] {
  if (!stages.some(({ inputFrom, outputTo }) => inputFrom !== undefined || outputTo !== undefined)) return [];
  const reached = new Set([entryStage]);
  for (const name of reached) {
    for (const { name: next, inputFrom } of stages) if (inputFrom?.includes(name) === true) reached.add(next);
    for (const next of stages.find((one) => one.name === name)?.outputTo ?? []) reached.add(next);
  }
  return stages.flatMap((stage, at) =>
    reached.has(stage.name)
      ? []
      : [
          {
            ...problem('UNREACHABLE_STAGE', `stages[${at}]`, `No stage leads to "${stage.name}".`),
            severity: 'warning' as const,
          },
        ],
  );
}

function unknownStage(name: unknown, path: string, names: readonly string[]): Problem {
  return {
    ...problem('UNKNOWN_STAGE', path, `There is no stage "${String(name)}".`),
    hint: `There are ${names.join(', ')}.`,
  };
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function problem(code: ProblemCode, path: string, message: string): Problem {
  return { code, message, severity: 'error', path };
}
