import { toArray } from '../model/append-list.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Message, ToolCall } from '../model/message.ts';
import type { AgentMemory, Snapshot } from '../fold/snapshot.ts';
import type { AgentSpec, Workflow } from '../model/workflow.ts';

/** The data that conditions, inputs and scripts may read (SM5). The isolate rebuilds its methods from this. */
export interface SurfaceData {
  readonly common_data: JsonObject;
  readonly agents: Readonly<Record<string, AgentSurface>>;
  readonly contexts: Readonly<Record<string, ContextSurface>>;
  readonly sub_workflow_result: Json;
  readonly last_agent_response: string | null;
  readonly last_tool_calls: readonly CallSurface[];
  readonly last_parsing_tool_calls: readonly CallSurface[];
  /** Names that exist only here, such as `item` in a pool or `result` after the work. */
  readonly locals: JsonObject;
}

export interface AgentSurface {
  readonly role: string;
  readonly contextRole: 'assistant' | 'user';
  readonly lastResponse: string;
  readonly toolCalls: readonly CallSurface[];
  readonly parsingToolCalls: readonly CallSurface[];
}

export interface ContextSurface {
  readonly name: string;
  readonly messages: readonly MessageSurface[];
  readonly max_length: number;
}

export interface CallSurface {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: Json };
}

export interface MessageSurface {
  readonly role: string;
  readonly content: string;
  readonly author: string;
  readonly tool_calls?: readonly CallSurface[];
  readonly tool_call_id?: string;
}

const NOTHING_SAID: AgentMemory = { lastResponse: '', toolCalls: [], parsingCalls: [] };

export function surfaceOf(workflow: Workflow, snapshot: Snapshot, locals: JsonObject): SurfaceData {
  return new Surface(workflow, snapshot, locals);
}

/** Computed lazily: parts that an expression does not read cost nothing, however long the conversations are. */
class Surface implements SurfaceData {
  readonly locals: JsonObject;
  // Plain fields: a script's own view of its data stands on this one as its prototype.
  private readonly workflow: Workflow;
  private readonly snapshot: Snapshot;

  constructor(workflow: Workflow, snapshot: Snapshot, locals: JsonObject) {
    this.locals = locals;
    this.workflow = workflow;
    this.snapshot = snapshot;
  }

  get common_data(): JsonObject {
    return this.snapshot.data;
  }

  get agents(): SurfaceData['agents'] {
    return Object.fromEntries(this.workflow.agents.map((agent) => [agent.name, agentSurface(agent, this.snapshot)]));
  }

  get contexts(): SurfaceData['contexts'] {
    return Object.fromEntries(
      this.workflow.contexts.map((context) => [context.name, contextSurface(context.name, this.snapshot)]),
    );
  }

  get sub_workflow_result(): Json {
    return this.snapshot.childResult;
  }

  get last_agent_response(): string | null {
    return this.last?.lastResponse ?? null;
  }

  get last_tool_calls(): readonly CallSurface[] {
    return (this.last?.toolCalls ?? []).map(callSurface);
  }

  get last_parsing_tool_calls(): readonly CallSurface[] {
    return (this.last?.parsingCalls ?? []).map(callSurface);
  }

  private get last(): AgentMemory | undefined {
    const { lastAgent, agents } = this.snapshot;
    return lastAgent === null ? undefined : own(agents, lastAgent);
  }
}

function agentSurface(agent: AgentSpec, snapshot: Snapshot): AgentSurface {
  const memory = own(snapshot.agents, agent.name) ?? NOTHING_SAID;
  return {
    role: agent.role,
    contextRole: agent.side,
    lastResponse: memory.lastResponse,
    toolCalls: memory.toolCalls.map(callSurface),
    parsingToolCalls: memory.parsingCalls.map(callSurface),
  };
}

function contextSurface(name: string, snapshot: Snapshot): ContextSurface {
  const context = own(snapshot.contexts, name);
  return {
    name,
    messages: context === undefined ? [] : toArray(context.messages).map(messageSurface),
    max_length: context?.maxLength ?? 0,
  };
}

/** Own properties only: older journals may hold names that every object inherits. */
function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function messageSurface(message: Message): MessageSurface {
  return {
    role: message.role,
    content: message.content,
    author: message.author,
    ...(message.toolCalls === undefined ? {} : { tool_calls: message.toolCalls.map(callSurface) }),
    ...(message.toolCallId === undefined ? {} : { tool_call_id: message.toolCallId }),
  };
}

function callSurface(call: ToolCall): CallSurface {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}
