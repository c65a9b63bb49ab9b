import type { SurfaceData } from '../../../core/evaluate/surface.ts';

/** The surface as ordinary JavaScript objects with methods: the naive model that the evaluators are compared with. */
export function plainSelf(surface: SurfaceData): Record<string, unknown> {
  const agents = withGet(
    Object.fromEntries(Object.entries(surface.agents).map(([name, agent]) => [name, plainAgent(agent)])),
  );
  const contexts = withGet({ ...surface.contexts });
  const find = (from: Record<string, unknown>, name: string): unknown => {
    if (!Object.hasOwn(from, name)) throw new Error(`no ${name}`);
    return from[name];
  };
  return {
    ...surface.locals,
    common_data: surface.common_data,
    agents,
    contexts,
    sub_workflow_result: surface.sub_workflow_result,
    last_agent_response: surface.last_agent_response,
    last_tool_calls: surface.last_tool_calls,
    last_parsing_tool_calls: surface.last_parsing_tool_calls,
    getAgent: (name: string) => find(agents, name),
    getContext: (name: string) => find(contexts, name),
    quote: quotePlainly,
    getToolCalls: (name: string) => (find(agents, name) as SurfaceData['agents'][string]).toolCalls,
  };
}

function quotePlainly(value: unknown): string {
  if (Array.isArray(value)) return value.map(quotePlainly).join(' ');
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw new TypeError('nothing to quote');
  return `'${String(value)
    .split("'")
    .join(String.raw`'\''`)}'`;
}

function plainAgent(agent: SurfaceData['agents'][string]): object {
  const methods = {
    getLastResponse: () => agent.lastResponse,
    getToolCalls: () => agent.toolCalls,
    getParsingToolCalls: () => agent.parsingToolCalls,
    getRole: () => agent.role,
    getContextRole: () => agent.contextRole,
  };
  return Object.assign(Object.create(methods) as object, agent);
}

function withGet(record: Record<string, unknown>): Record<string, unknown> {
  const get = (name: string): unknown => (Object.hasOwn(record, name) ? record[name] : undefined);
  return Object.assign(Object.create({ get }) as Record<string, unknown>, record);
}

/** Runs plain JavaScript against the model, with everything by its bare name too. */
export function runPlain(body: string, surface: SurfaceData): unknown {
  const self = plainSelf(surface);
  const calls = Object.fromEntries(surface.last_parsing_tool_calls.map((call) => [call.function.name, call.function]));
  const scope = { ...self, variables: surface.common_data, $function: calls };
  // The whole point of a naive model: the language itself decides what is right.
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function(...Object.keys(scope), `"use strict"; ${body}`);
  return Reflect.apply(run, self, Object.values(scope));
}
