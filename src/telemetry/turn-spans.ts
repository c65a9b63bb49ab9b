import type { Fact, JournalRecord } from '../core/record/fact.ts';
import type { CallAnswered, CallFailed, ToolFinished } from '../core/record/call-fact.ts';
import type { TaskId } from '../core/model/ids.ts';
import type { Json } from '../core/model/json.ts';
import { SUB_AGENT_TOOL, subAgentId } from '../core/fold/open-children.ts';
import type { TaskBook, KnownActivity } from '../protocol/history/task-book.ts';
import type { UsageNoted } from '../core/record/files-fact.ts';
import { cut, messagesText, paidAttributes, providerOf, usageAttributes } from './gen-ai.ts';
import { type Attributes, endSpan, type OpenSpan, type Span, spanIdOf, type Trace } from './span.ts';

/** The spans within a turn: model calls, tool calls, and the activities that a client reports. */
export class TurnSpans {
  /** Parent spans of the runs of sub-agents, by their name in this run. */
  readonly subAgents = new Map<string, string>();
  readonly #trace: Trace;
  readonly #run: string;
  readonly #book: TaskBook;
  /** The id of each tool call's span, as `task call`. */
  readonly #tools = new Map<string, string>();
  /** The model that last answered an agent, and the client that plays it. */
  readonly #models = new Map<string, string>();
  readonly #clients = new Map<string, string>();
  #rewinds = 0;

  constructor(trace: Trace, run: string, book: TaskBook) {
    this.#trace = trace;
    this.#run = run;
    this.#book = book;
  }

  rewound(): void {
    this.#rewinds += 1;
  }

  take(record: JournalRecord, turn: OpenSpan | null): readonly Span[] {
    const { fact } = record;
    if (fact.kind === 'session.noted') this.#clients.set(fact.agent, fact.actor);
    if (turn === null) return [];
    if (fact.kind === 'call.answered') return [this.#answered(fact, record, turn)];
    if (fact.kind === 'call.failed') return [this.#failed(fact, record, turn)];
    if (fact.kind === 'usage.noted' && fact.isOfChild !== true) return [this.#noted(fact, record, turn)];
    if (fact.kind === 'tool.finished') return this.#toolFinished(fact, record, turn);
    return this.#activities(fact, record.at, turn);
  }

  /** Known when an agent's turn has ended. */
  providerAttributes(task: TaskId): Attributes {
    const agent = this.#book.task(task)?.agent ?? null;
    return agent === null || this.#book.task(task)?.work.kind !== 'turn' ? {} : this.#provider(agent);
  }

  #provider(agent: string): Attributes {
    const model = this.#models.get(agent);
    return {
      'gen_ai.provider.name': providerOf(model ?? '', this.#clients.get(agent) ?? null),
      'gen_ai.request.model': model,
    };
  }

  #answered(fact: CallAnswered, { seq, at }: JournalRecord, turn: OpenSpan): Span {
    const { task, call, message, model } = fact;
    this.#models.set(message.author, model);
    for (const [index, tool] of (message.toolCalls ?? []).entries()) {
      const id = spanIdOf(this.#run, seq, `tool ${tool.id}`);
      this.#tools.set(`${task} ${tool.id}`, id);
      if (tool.name !== SUB_AGENT_TOOL) continue;
      this.subAgents.set(subAgentId({ task, call, index, rewinds: this.#rewinds }), id);
    }
    const content = this.#trace.hasContent ? { 'gen_ai.output.messages': messagesText([message]) } : {};
    return this.#chat(fact, {
      seq,
      turn,
      startedAt: Math.max(turn.startedAt, at - fact.ms),
      at,
      attributes: {
        ...paidAttributes(fact),
        ...content,
      },
    });
  }

  #failed(fact: CallFailed, { seq, at }: JournalRecord, turn: OpenSpan): Span {
    const startedAt = Math.max(turn.startedAt, this.#book.task(fact.task)?.callAt ?? at);
    const attributes = {
      ...paidAttributes(fact),
      'troupe.is_retried': fact.retryAt !== null,
    };
    const { code, message } = fact.failure;
    const error = { code, ...(this.#trace.hasContent ? { message } : {}) };
    return { ...this.#chat(fact, { seq, turn, startedAt, at, attributes }), error };
  }

  /** The cost of work whose result was lost; its duration is unknown. */
  #noted(fact: UsageNoted, { seq, at }: JournalRecord, turn: OpenSpan): Span {
    const open: OpenSpan = {
      spanId: spanIdOf(this.#run, seq, 'usage'),
      parentSpanId: turn.spanId,
      name: 'usage',
      kind: 'internal',
      startedAt: at,
      attributes: { 'gen_ai.agent.name': this.#book.task(fact.task)?.agent ?? '' },
    };
    return endSpan(this.#trace, open, { at, attributes: paidAttributes(fact) });
  }

  #chat({ task, call, attempt }: CallAnswered | CallFailed, ended: EndedCall): Span {
    const agent = this.#book.task(task)?.agent ?? '';
    const model = this.#models.get(agent);
    const { seq, turn, startedAt, at } = ended;
    const open: OpenSpan = {
      spanId: spanIdOf(this.#run, seq, 'chat'),
      parentSpanId: turn.spanId,
      name: model === undefined ? 'chat' : `chat ${model}`,
      kind: 'client',
      startedAt,
      attributes: {
        'gen_ai.operation.name': 'chat',
        ...this.#provider(agent),
        'gen_ai.agent.name': agent,
        'gen_ai.conversation.id': turn.attributes['gen_ai.conversation.id'],
        'troupe.call': call,
        'troupe.attempt': attempt,
      },
    };
    return endSpan(this.#trace, open, { at, attributes: ended.attributes });
  }

  #toolFinished(fact: ToolFinished, { seq, at }: JournalRecord, turn: OpenSpan): readonly Span[] {
    if (this.#book.wasReported(fact)) return [];
    const { task, toolCall, isError, refused, ms, content } = fact;
    const call = this.#book.toolCall(task, toolCall);
    const open: OpenSpan = {
      spanId: this.#tools.get(`${task} ${toolCall}`) ?? spanIdOf(this.#run, seq, `tool ${toolCall}`),
      parentSpanId: turn.spanId,
      ...toolHead(call?.name ?? 'unknown', 'function'),
      startedAt: Math.max(turn.startedAt, at - ms),
    };
    const attributes = {
      'gen_ai.tool.call.id': toolCall,
      'gen_ai.agent.name': turn.attributes['gen_ai.agent.name'],
      ...(this.#trace.hasContent ? saidAttributes(call?.arguments ?? null, content) : {}),
    };
    const error = isError ? { code: refused ?? 'tool_error' } : null;
    return [endSpan(this.#trace, open, { at, attributes, error })];
  }

  #activities(fact: Fact, at: number, turn: OpenSpan): readonly Span[] {
    if (fact.kind !== 'activity.noted') return [];
    return this.#book.ended
      .filter(({ item }) => item.kind === 'tool' || item.kind === 'minion')
      .map((activity) => this.#activity(activity, at, turn));
  }

  #activity(activity: KnownActivity, at: number, turn: OpenSpan): Span {
    const { item, startedAt, task } = activity;
    const around = item.parent === undefined ? undefined : this.#book.activity(task, item.parent);
    const head = item.kind === 'tool' ? toolHead(item.name, 'extension') : agentHead(item.name);
    const open: OpenSpan = {
      spanId: this.#activityId(activity),
      parentSpanId: around === undefined ? turn.spanId : this.#activityId(around),
      ...head,
      startedAt: Math.max(turn.startedAt, startedAt),
    };
    const text = this.#trace.hasContent && item.text !== undefined ? { 'troupe.activity.text': cut(item.text) } : {};
    const usage = item.usage === undefined ? {} : usageAttributes(item.usage);
    const error = item.status === 'ok' ? null : { code: item.status };
    return endSpan(this.#trace, open, { at, attributes: { ...usage, ...text }, error });
  }

  #activityId({ seq, task, item }: KnownActivity): string {
    return spanIdOf(this.#run, seq, `activity ${task} ${item.id}`);
  }
}

interface EndedCall {
  readonly seq: number;
  readonly turn: OpenSpan;
  readonly startedAt: number;
  readonly at: number;
  readonly attributes: Attributes;
}

type Head = Pick<OpenSpan, 'name' | 'kind' | 'attributes'>;

/** `function`: the engine uses it for the agent. `extension`: a client uses it by itself. */
const toolHead = (name: string, type: 'function' | 'extension'): Head => ({
  name: `execute_tool ${name}`,
  kind: 'internal',
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'gen_ai.tool.type': type },
});

const agentHead = (name: string): Head => ({
  name: `invoke_agent ${name}`,
  kind: 'internal',
  attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name },
});

const saidAttributes = (given: Json, result: string): Attributes => ({
  'gen_ai.tool.call.arguments': given === null ? undefined : cut(JSON.stringify(given)),
  'gen_ai.tool.call.result': cut(result),
});
