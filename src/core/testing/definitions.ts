import type { Expression, Program } from '../model/expression.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ParsingTool, Role } from '../model/role.ts';
import type { Definition } from '../model/definition.ts';
import {
  DEFAULT_LIMITS,
  type AgentSpec,
  type ContextSpec,
  type EndState,
  type Limits,
  type PoolWork,
  type RetryPolicy,
  type State,
  type Transition,
  type UnitWork,
  type Work,
  type WorkState,
} from '../model/workflow.ts';
import { literal } from './expressions.ts';

/** Small definitions, by the parts a test cares about; the first state given is where the run starts. */
export function definitionOf(states: readonly State[], parts: DefinitionParts = {}): Definition {
  const agents = parts.agents ?? [agent('coder'), agent('reviewer')];
  const names = new Set(agents.map((one) => one.context));
  return {
    workflow: {
      name: 'tested',
      description: '',
      family: 'test',
      inputs: [],
      output: parts.output === undefined ? null : { name: parts.output, type: 'any' },
      data: parts.data ?? {},
      contexts: parts.contexts ?? [...names].map((name) => context(name)),
      agents,
      start: states[0]?.name ?? '',
      states: Object.fromEntries(states.map((state) => [state.name, state])),
      limits: { ...DEFAULT_LIMITS, ...parts.limits },
      ...(parts.onFailure === undefined ? {} : { onFailure: parts.onFailure }),
    },
    library: {},
    roles: Object.fromEntries(agents.map((one) => [one.role, roleOf(one.role, parts)])),
    ...(parts.retry === undefined ? {} : { retry: parts.retry }),
  };
}

export interface DefinitionParts {
  readonly data?: JsonObject;
  readonly output?: string;
  readonly agents?: readonly AgentSpec[];
  readonly contexts?: readonly ContextSpec[];
  readonly limits?: Partial<Limits>;
  readonly parsingTools?: readonly string[];
  readonly retry?: RetryPolicy;
  readonly onFailure?: 'keep' | 'rollback';
  /** Tools for which every role needs a person's permission. */
  readonly ask?: readonly string[];
}

export const agent = (name: string, parts: Partial<AgentSpec> = {}): AgentSpec => ({
  name,
  role: name,
  context: 'talk',
  side: 'assistant',
  ...parts,
});

export const context = (name: string, parts: Partial<ContextSpec> = {}): ContextSpec => ({
  name,
  startingMessages: [],
  maxLength: 50_000,
  ...parts,
});

function roleOf(name: string, { parsingTools = [], ask: asked }: DefinitionParts): Role {
  return {
    name,
    level: 'base',
    systemMessage: '',
    examples: [],
    excludedTools: [],
    includedTools: null,
    parsingTools: parsingTools.map((tool): ParsingTool => ({ name: tool, description: '', parameters: {} })),
    ...(asked === undefined ? {} : { ask: asked }),
  };
}

export function work(name: string, what: Work, parts: Partial<Omit<WorkState, 'kind' | 'name' | 'work'>>): WorkState {
  return {
    kind: 'work',
    name,
    enter: null,
    work: what,
    transitions: [],
    on: {},
    timeoutMs: null,
    retry: null,
    ...parts,
  };
}

/** A state that does nothing but choose where to go. */
export const route = (name: string, transitions: readonly Transition[], enter: Program | null = null): WorkState =>
  work(name, { kind: 'none' }, { transitions, enter });

export const end = (name = 'stop', outcome: Outcome = 'ok', output: Expression | null = null): EndState => ({
  kind: 'end',
  name,
  outcome,
  output,
});

export const to = (target: string, when: Expression | null = null, assign: Program | null = null): Transition => ({
  target,
  when,
  assign,
});

export const ask = (who: string, input: Json = 'Go.'): UnitWork => ({
  kind: 'turn',
  agent: who,
  mode: 'ask',
  input: literal(input),
});

export const tell = (who: string, input: Expression | null): UnitWork => ({
  kind: 'turn',
  agent: who,
  mode: 'tell',
  input,
});

export const command = (text: Expression = literal('npm test')): UnitWork => ({
  kind: 'command',
  command: text,
  okExitCodes: [0],
});

export const wait = (ms: Json): UnitWork => ({ kind: 'wait', ms: literal(ms) });

export const pool = (units: PoolWork['units'], parts: Partial<Omit<PoolWork, 'kind' | 'units'>> = {}): PoolWork => ({
  kind: 'pool',
  units,
  slots: 3,
  join: { rule: 'all' },
  grow: null,
  ...parts,
});

/** Units by id, each with what it waits for, all doing the same work. */
export const fixed = (after: Readonly<Record<string, readonly string[]>>, what = command()): PoolWork['units'] => ({
  kind: 'fixed',
  list: Object.entries(after).map(([id, ids]) => ({ id, after: ids, work: what })),
});

export const items = (list: Expression, what = command()): PoolWork['units'] => ({
  kind: 'items',
  items: list,
  work: what,
});
