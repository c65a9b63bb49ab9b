import { unreachable } from '../../core/model/fault.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/model/json.ts';
import { isSummaryPrompt } from '../../core/look/summary-prompt.ts';
import { NO_CHANGE_TOOL, UNCHANGED_TEXT } from '../../core/step/turn/owed-changes.ts';
import type { ToolSpec } from '../../core/model/role.ts';
import { SIGNAL_TOOL } from '../../core/model/signal.ts';
import { fillTemplate, fillTemplates, scriptIn, withoutScript } from './prompt-script.ts';
import {
  type BadArguments,
  type FaultReply,
  type Reply,
  type Rule,
  type Say,
  type Scenario,
  type ScriptedCall,
  type ScriptedOutcome,
  type ScriptedTool,
  SILENCE,
} from './rule.ts';
import {
  countTokens,
  newestText,
  newestUserText,
  type ScriptedRequest,
  stableId,
  tokensOfLength,
  stepIdIn,
  toolRounds,
} from './scripted-request.ts';

const LONGEST_ECHO = 60;

/** Nothing was scripted: hand in the structured reply that is owed, or else say something short and true. */
export function defaultReply(request: ScriptedRequest): Say {
  // It changes no files, and says so where some have to be changed.
  if (newestText(request).includes(UNCHANGED_TEXT) && request.tools.some(({ name }) => name === NO_CHANGE_TOOL)) {
    const reason = 'The scripted model changes no files by itself.';
    return { ...SILENCE, tools: [{ name: NO_CHANGE_TOOL, arguments: { reason }, raw: null }] };
  }
  const [owed] = request.parsingTools.flatMap((name) => request.tools.filter((tool) => tool.name === name));
  if (owed !== undefined) {
    return { ...SILENCE, tools: [{ name: owed.name, arguments: handedIn(owed, request), raw: null }] };
  }
  if (request.messages.at(-1)?.role === 'tool') return { ...SILENCE, text: 'Done.' };
  const line =
    withoutScript(newestUserText(request) || newestText(request))
      .trim()
      .split('\n')[0] ?? '';
  return { ...SILENCE, text: line === '' ? 'Done.' : `Done: ${line.slice(0, LONGEST_ECHO)}` };
}

/** A signal asks for more than its schema says: the step it is about, and a word on what was done. */
function handedIn({ name, parameters }: ToolSpec, request: ScriptedRequest): Json {
  if (name !== SIGNAL_TOOL) {
    const unless = /no change, state that in `(\w+)`/.exec(newestText(request))?.[1];
    return unless === undefined ? sample(parameters, '') : { ...sampleObject(parameters), [unless]: true };
  }
  const stepId = stepIdIn(request) ?? WORD;
  const properties = propertiesOf(parameters);
  const signals = isJsonObject(properties['signal']) ? properties['signal']['enum'] : [];
  if (Array.isArray(signals) && signals.includes('complete')) return { signal: 'complete', stepId, summary: 'Done.' };
  return { ...sampleObject({ ...parameters, required: Object.keys(properties) }), stepId };
}

/** The least value that fits a schema: required fields only. */
export function sample(schema: Json | undefined, name: string): Json {
  if (!isJsonObject(schema)) return WORD;
  const given = schema['const'] ?? schema['default'] ?? first(schema['enum']);
  if (given !== undefined) return given;
  const choice = first(schema['anyOf']) ?? first(schema['oneOf']) ?? first(schema['allOf']);
  if (choice !== undefined && schema['type'] === undefined) return sample(choice, name);
  return sampleOfType(first(schema['type']) ?? schema['type'], schema, name);
}

const WORD = 'done';
/** Yes to what ends the work, no to what asks for more of it, so that loops come to their end. */
const GOOD_NEWS = /approv|accept|pass|success|complete|done|finish|agree|valid|^(is_?)?ok$/i;

function sampleOfType(type: Json | undefined, schema: JsonObject, name: string): Json {
  switch (type) {
    case 'boolean':
      return GOOD_NEWS.test(name);
    case 'integer':
    case 'number':
      return Math.max(0, Number(schema['minimum'] ?? 0));
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, () => sample(schema['items'], name));
    case 'null':
      return null;
    case 'string':
      return WORD.padEnd(Number(schema['minLength'] ?? 0), '.');
    default:
      return sampleObject(schema);
  }
}

function sampleObject(schema: JsonObject): JsonObject {
  const properties = propertiesOf(schema);
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
  return Object.fromEntries(required.map((name) => [name, sample(properties[name], name)]));
}

const propertiesOf = ({ properties = null }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {});

const first = (value: Json | undefined): Json | undefined =>
  Array.isArray(value) ? (value as readonly Json[])[0] : undefined;

/**
 * The script in the prompt goes first, then the first rule that fits, then the default. State between requests: how often a rule
 * was used, and the attempts of clients that do not number them.
 */
export function createChooser(scenario: Scenario): (request: ScriptedRequest) => ScriptedOutcome {
  const memory: Memory = { uses: new Map(), tries: new Map() };
  const { window } = scenario;
  return (request) => {
    const input = tokensOfLength(request.size);
    if (window !== undefined && input > window)
      return { kind: 'fault', fault: { kind: 'overflow', tokens: input, window } };
    const reply = pick(scenario, request, memory);
    const outcome = settle(reply, request, reply.kind === 'say' ? 1 : tryOf(request, memory));
    return window === undefined ? outcome : withInput(outcome, input);
  };
}

/** A model with a window counts all that it compares with it. */
function withInput(outcome: ScriptedOutcome, input: number): ScriptedOutcome {
  return outcome.kind === 'answer' ? { ...outcome, usage: { ...outcome.usage, input } } : outcome;
}

interface Memory {
  readonly uses: Map<Rule, number>;
  readonly tries: Map<string, number>;
}

function pick(scenario: Scenario, request: ScriptedRequest, memory: Memory): Reply {
  if (isSummaryPrompt(newestText(request))) return summaryReply(scenario, request, memory);
  const script = scriptIn(newestUserText(request));
  if (script?.kind === 'refused') return refusal(script.message);
  const scripted = script?.steps[toolRounds(request)];
  if (scripted !== undefined) return scripted;
  for (const rule of scenario.rules) {
    const reply = replyOf(rule, request, memory);
    if (reply !== undefined) return reply;
  }
  return defaultReply(request);
}

/** Summaries of a shortened conversation need no script, unless a rule matches their prompt. */
function summaryReply(scenario: Scenario, request: ScriptedRequest, memory: Memory): Reply {
  for (const rule of scenario.rules) {
    const reply = rule.when.contains === undefined ? undefined : replyOf(rule, request, memory);
    if (reply !== undefined) return reply;
  }
  return { ...SILENCE, text: `Summary: ${request.messages.length} messages were exchanged. Next action: go on.` };
}

/** Undefined when the rule does not fit, is used up, or has run out of steps: the rules below get their turn. */
function replyOf(rule: Rule, request: ScriptedRequest, memory: Memory): Reply | undefined {
  const used = memory.uses.get(rule) ?? 0;
  if ((rule.times !== null && used >= rule.times) || !fits(rule, request)) return undefined;
  const reply = rule.answer.kind === 'reply' ? rule.answer.reply : rule.answer.steps[toolRounds(request)];
  if (reply !== undefined) memory.uses.set(rule, used + 1);
  return reply;
}

function refusal(message: string): FaultReply {
  const fault = { kind: 'status', status: 400, retryAfter: null, error: 'invalid_request_error', message } as const;
  return { kind: 'fault', fault, times: null, afterwards: null };
}

const LISTED = ['role', 'agent', 'state', 'model', 'visit', 'attempt'] as const;

function fits({ when, answer }: Rule, request: ScriptedRequest): boolean {
  for (const name of LISTED) {
    const accepted: readonly unknown[] | undefined = when[name];
    if (accepted !== undefined && !accepted.includes(request[name])) return false;
  }
  if (when.call !== undefined && !when.call.includes(request.call ?? toolRounds(request) + 1)) return false;
  if (when.contains === undefined) return true;
  const text = answer.kind === 'steps' ? newestUserText(request) : newestText(request);
  return typeof when.contains === 'string' ? text.includes(when.contains) : when.contains.test(text);
}

/** Goes on to what comes afterwards until something is left that can be sent. `tries` counts this one. */
function settle(reply: Reply, request: ScriptedRequest, tries: number): ScriptedOutcome {
  switch (reply.kind) {
    case 'say':
      return say(reply, request);
    case 'bad-arguments': {
      // An answer, not a failed attempt: its return tells the first from the second.
      const isOver = reply.times !== null && toolRounds(request) >= reply.times;
      return isOver ? settle(reply.afterwards ?? defaultReply(request), request, tries) : badArguments(reply, request);
    }
    case 'fault':
      if (reply.times === null || tries <= reply.times) return { kind: 'fault', fault: reply.fault };
      return settle(reply.afterwards ?? defaultReply(request), request, tries - reply.times);
    default:
      return unreachable(reply);
  }
}

function tryOf(request: ScriptedRequest, memory: Memory): number {
  if (request.attempt !== undefined) return request.attempt;
  const tries = (memory.tries.get(request.key) ?? 0) + 1;
  memory.tries.set(request.key, tries);
  return tries;
}

function badArguments(reply: BadArguments, request: ScriptedRequest): ScriptedOutcome {
  const name = reply.tool ?? request.parsingTools[0] ?? request.tools[0]?.name ?? 'unknown_tool';
  const raw = reply.how === 'text' ? '{"broken": ' : null;
  return say({ ...SILENCE, tools: [{ name, arguments: { not_in_the_schema: true }, raw }] }, request);
}

function say(reply: Say, request: ScriptedRequest): ScriptedOutcome {
  const id = stableId(request.key);
  const text = fillTemplate(reply.text, request);
  const calls = reply.tools.map((tool, index) => toolCall(tool, request, `call_${id}_${index + 1}`));
  return {
    kind: 'answer',
    id,
    text,
    think: fillTemplate(reply.think, request),
    calls,
    usage: reply.usage ?? countTokens(request, text, calls),
    delayMs: reply.delayMs,
    paceMs: reply.paceMs,
    chunk: reply.chunk,
    finish: reply.finish,
  };
}

function toolCall(tool: ScriptedTool, request: ScriptedRequest, id: string): ScriptedCall {
  const value = tool.raw === null ? fillTemplates(tool.arguments, request) : parseJson(tool.raw, tool.raw);
  return { id, name: tool.name, arguments: value, raw: tool.raw };
}
