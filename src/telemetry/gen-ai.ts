import { chargeOf } from '../core/record/charge.ts';
import type { Fact } from '../core/record/fact.ts';
import type { ResolvedWork } from '../core/record/task-fact.ts';
import type { Message } from '../core/model/message.ts';
import type { Usage } from '../core/model/usage.ts';
import type { Attributes } from './span.ts';

/**
 * Names of the semantic conventions for generative AI for what happens in a run. Names outside of the conventions begin with
 * `troupe.`.
 */
export function usageAttributes({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): Attributes {
  return {
    // Like ours, their count includes cached input.
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...(cacheReadTokens === 0 ? {} : { 'gen_ai.usage.cache_read.input_tokens': cacheReadTokens }),
    ...(cacheWriteTokens === 0 ? {} : { 'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens }),
  };
}

/** The cost of the record (R4). Sums of child runs are left out: their own spans have them call by call. */
export function paidAttributes(fact: Fact): Attributes {
  const charge = chargeOf(fact);
  if (charge === null || charge.isOfChild) return {};
  return {
    ...(charge.model === null ? {} : { 'gen_ai.response.model': charge.model }),
    ...usageAttributes(charge.usage),
    'troupe.cost_usd': charge.costUsd === null ? undefined : { double: charge.costUsd },
  };
}

/** The provider, to the best of our knowledge: by the client if one plays the agent, else by the model's name. */
export function providerOf(model: string, client: string | null): string {
  const known = PROVIDERS.find(([pattern]) => pattern.test(client ?? '') || pattern.test(model));
  return known?.[1] ?? '_OTHER';
}

const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [/claude/i, 'anthropic'],
  [/\b(?:gpt|chatgpt|codex|davinci)|^(?:openai\/)?o\d/i, 'openai'],
  [/gemini/i, 'gcp.gemini'],
  [/mistral|mixtral|codestral|devstral|magistral/i, 'mistral_ai'],
  [/deepseek/i, 'deepseek'],
  [/\bgrok/i, 'x_ai'],
  [/\bcommand-[ar]|cohere/i, 'cohere'],
  [/kimi|moonshot/i, 'moonshot_ai'],
  [/sonar/i, 'perplexity'],
];

/** A message in the form of the conventions, as JSON. */
export function messagesText(messages: readonly Pick<Message, 'role' | 'content' | 'toolCalls'>[]): string {
  return JSON.stringify(
    messages.map(({ role, content, toolCalls = [] }) => ({
      role,
      parts: [
        ...(content === '' ? [] : [{ type: 'text', content: cut(content) }]),
        ...toolCalls.map(({ id, name, arguments: given }) => ({ type: 'tool_call', id, name, arguments: given })),
      ],
    })),
  );
}

const LONGEST = 32_000;

/** Collectors refuse a whole request if one value is too long. */
export const cut = (text: string): string =>
  (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`).toWellFormed();

/** Null for work without its own time: a child run has its own spans, a pool is its state's whole work. */
export function workName(work: ResolvedWork): string | null {
  if (work.kind === 'turn') return `invoke_agent ${work.agent}`;
  return WITHOUT_SPAN.has(work.kind) ? null : work.kind;
}

const WITHOUT_SPAN: ReadonlySet<ResolvedWork['kind']> = new Set(['pool', 'tell', 'clear']);

export function workAttributes(
  work: ResolvedWork,
  { run, hasContent }: { readonly run: string; readonly hasContent: boolean },
): Attributes {
  if (work.kind === 'turn') {
    const input = hasContent && work.input !== null ? messagesText([{ role: 'user', content: work.input }]) : undefined;
    return {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': work.agent,
      'gen_ai.conversation.id': `${run}/${work.context}`,
      'gen_ai.input.messages': input,
    };
  }
  if (work.kind !== 'command') return {};
  return { 'troupe.command': hasContent ? cut(work.command) : undefined };
}
