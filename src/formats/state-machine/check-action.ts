import type { ProblemCode } from '../../core/codes/problem-codes.ts';
import type { SourcePath } from '../../source/place.ts';
import type { LoweringScope } from './lowering-scope.ts';
import type { ActionDocument } from './action-schema.ts';
import type { StateDocument } from './workflow-schema.ts';

/** Tells of keys of a state that do not go together. */
export function checkAction(state: StateDocument, path: SourcePath, scope: LoweringScope): void {
  for (const rule of RULES) {
    if (!rule.holds(state, state.action ?? {})) continue;
    const where = { path: [...path, ...rule.key], part: 'key' } as const;
    if (rule.severity === 'warning') scope.report.warning(rule.code, rule.message, where);
    else scope.report.error(rule.code, rule.message, where);
  }
}

interface Rule {
  readonly code: ProblemCode;
  /** The key that is out of place. */
  readonly key: readonly string[];
  readonly message: string;
  readonly severity?: 'warning';
  readonly holds: (state: StateDocument, action: ActionDocument) => boolean;
}

const speaks = (state: StateDocument): boolean => state.agent !== undefined || state.agents !== undefined;

/** Kinds of work besides an agent's turn; at most one per state. */
const WORKS = ['sub_workflow', 'command', 'merge', 'ask', 'pool', 'diff'] as const;

const DOING: Readonly<Partial<Record<(typeof WORKS)[number], string>>> = {
  command: 'that runs a command runs nothing',
  merge: 'that merges does nothing',
};

/** Combinations of keys that each are fine but together would do nothing, or not what they seem to say. */
const RULES: readonly Rule[] = [
  {
    code: 'ACTION_CONFLICT',
    key: ['agents'],
    message: 'A state has either "agent" or "agents", not both.',
    holds: (state) => state.agent !== undefined && state.agents !== undefined,
  },
  {
    code: 'ACTION_CONFLICT',
    key: ['action', 'sub_workflow'],
    message: 'A state runs either an agent or a sub-workflow, not both.',
    holds: (state, action) => action.sub_workflow !== undefined && (speaks(state) || action.function !== undefined),
  },
  ...WORKS.slice(1).map((key): Rule => ({
    code: 'ACTION_CONFLICT',
    key: ['action', key],
    message: `A state ${DOING[key] ?? `with "${key}" does nothing`} else; only a "script" may come before it.`,
    holds: (state, action) =>
      action[key] !== undefined &&
      (speaks(state) ||
        action.function !== undefined ||
        WORKS.some((other) => other !== key && action[other] !== undefined)),
  })),
  {
    code: 'SUB_WORKFLOW_MISSING',
    key: ['action', 'sub_workflow_workspace'],
    message: '"sub_workflow_workspace" needs a "sub_workflow" that works there.',
    holds: (_, action) => action.sub_workflow_workspace !== undefined && action.sub_workflow === undefined,
  },
  {
    code: 'SUB_WORKFLOW_MISSING',
    key: ['action', 'sub_workflow_input'],
    message: '"sub_workflow_input" needs a "sub_workflow" to go to.',
    holds: (_, action) => action.sub_workflow_input !== undefined && action.sub_workflow === undefined,
  },
  {
    code: 'SCRIPT_MISSING',
    key: ['action', 'function'],
    message: 'The function "script" needs a "script".',
    holds: (_, action) => action.function === 'script' && action.script === undefined,
  },
  {
    code: 'AGENT_MISSING',
    key: ['action', 'function'],
    message: 'A function needs an "agent" that it is called on.',
    holds: (state, action) =>
      action.function !== undefined &&
      action.function !== 'script' &&
      WORKS.every((key) => action[key] === undefined) &&
      !speaks(state),
  },
  {
    code: 'INPUT_MISSING',
    key: ['action', 'function'],
    message: '"addUserMessage" needs an "input": the message to the agent.',
    holds: (state, action) => action.function === 'addUserMessage' && state.input === undefined,
  },
  {
    code: 'ACTION_CONFLICT',
    key: ['action', 'function'],
    message: 'Several agents at once can only be asked, with "sendUserMessage".',
    holds: (state, action) =>
      state.agents !== undefined && (action.function === 'addUserMessage' || action.function === 'clearConversation'),
  },
  {
    code: 'INPUT_UNUSED',
    key: ['input'],
    message: 'No agent reads the "input" of this state.',
    severity: 'warning',
    holds: (state, action) =>
      state.input !== undefined &&
      (!speaks(state) || action.function === 'script' || action.function === 'clearConversation'),
  },
  ...(['step', 'evidence', 'reply', 'allowed', 'changes'] as const).map((key): Rule => ({
    code: 'AGENT_MISSING',
    key: [key],
    message: `"${key}" needs an "agent" that is asked with "sendUserMessage".`,
    holds: (state, action) =>
      state[key] !== undefined && (!speaks(state) || (action.function ?? 'sendUserMessage') !== 'sendUserMessage'),
  })),
];
