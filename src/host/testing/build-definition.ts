import { Fault } from '../../core/model/fault.ts';
import type { Expression, Program } from '../../core/model/expression.ts';
import type { Role } from '../../core/model/role.ts';
import type { Definition } from '../../core/model/definition.ts';
import {
  DEFAULT_LIMITS,
  type Limits,
  type State,
  type Transition,
  type UnitWork,
  type Work,
  type WorkState,
  type Workflow,
} from '../../core/model/workflow.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { parseExpression, parseProgram } from '../../source/expression/parse-code.ts';
import type { Parsed } from '../../source/expression/syntax.ts';

function sound<Code>(parsed: Parsed<Code>): Code {
  if (!parsed.ok) throw new Fault('INTERNAL', parsed.message);
  return parsed.value;
}

/** Short hand for workflows in tests: expressions as text, everything else as in the model. */
export const expression = (source: string): Expression => sound(parseExpression(source));

export const program = (source: string): Program => sound(parseProgram(source));

export function to(target: string, options: { readonly when?: string; readonly assign?: string } = {}): Transition {
  return {
    target,
    when: options.when === undefined ? null : expression(options.when),
    assign: options.assign === undefined ? null : program(options.assign),
  };
}

// oxlint-disable-next-line eslint/max-params -- reads like the workflow it builds
export function work(
  name: string,
  what: Work,
  transitions: readonly Transition[],
  more: Partial<WorkState> = {},
): WorkState {
  return { kind: 'work', name, enter: null, work: what, transitions, on: {}, timeoutMs: null, retry: null, ...more };
}

export function turn(agent: string, input: string): Extract<Work, { kind: 'turn' }> {
  return { kind: 'turn', agent, mode: 'ask', input: expression(input) };
}

/** A pool with a unit for each item of a list, all of which must succeed. */
export function each(items: string, what: UnitWork, slots: number): Extract<Work, { kind: 'pool' }> {
  const units = { kind: 'items', items: expression(items), work: what } as const;
  return { kind: 'pool', units, slots, join: { rule: 'all' }, grow: null };
}

export function end(name: string, output: string | null = null): State {
  return { kind: 'end', name, outcome: 'ok', output: output === null ? null : expression(output) };
}

export interface BuildOptions {
  readonly name?: string;
  readonly states: readonly State[];
  readonly roles?: Readonly<Record<string, Partial<Role>>>;
  readonly data?: JsonObject;
  readonly plan?: JsonObject;
  readonly limits?: Partial<Limits>;
  readonly library?: Readonly<Record<string, Workflow>>;
}

/** All agents speak in one context, `room`; the agent named `reviewer` speaks from the user's side. */
export function build(options: BuildOptions): Definition {
  const roles = options.roles ?? { coder: {}, reviewer: {} };
  const names = Object.keys(roles);
  const workflow: Workflow = {
    name: options.name ?? 'test',
    description: '',
    family: 'test',
    inputs: [],
    output: null,
    data: options.data ?? {},
    ...(options.plan === undefined ? {} : { plan: options.plan }),
    contexts: [{ name: 'room', startingMessages: [], maxLength: 50_000 }],
    agents: names.map((name) => ({
      name,
      role: name,
      context: 'room',
      side: name === 'reviewer' ? 'user' : 'assistant',
    })),
    start: options.states[0]?.name ?? '',
    states: Object.fromEntries(options.states.map((state) => [state.name, state])),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  };
  return {
    workflow,
    library: options.library ?? {},
    roles: Object.fromEntries(names.map((name) => [name, role(name, roles[name] ?? {})])),
    retry: { tries: {}, baseMs: 4, maxMs: 20 },
  };
}

function role(name: string, given: Partial<Role>): Role {
  return {
    name,
    level: 'base',
    systemMessage: `You are the ${name}.`,
    examples: [],
    excludedTools: [],
    includedTools: null,
    parsingTools: [],
    ...given,
  };
}
