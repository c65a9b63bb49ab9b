import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4Warning } from '@ai-sdk/provider';
import type { Usage } from '../../core/model/usage.ts';
import type { ReplyDraft } from './reply-draft.ts';

/** Takes what a provider of the SDK streams. Sources, files and milestones are passed over: they carry nothing for a coding agent. */
export function takePart(draft: ReplyDraft, part: LanguageModelV4StreamPart): void {
  switch (part.type) {
    case 'tool-call':
      // A call that the provider made by itself is not for the engine.
      if (part.providerExecuted === true) return;
      return draft.call({ id: part.toolCallId, name: part.toolName, text: part.input }, part.providerMetadata);
    case 'stream-start':
      draft.ignored = part.warnings.flatMap(ignoredSetting);
      return;
    case 'response-metadata':
      draft.model ??= part.modelId ?? null;
      return;
    case 'finish':
      draft.usage = usageOf(part.usage);
      return draft.end(part.finishReason.unified, part.finishReason.raw);
    case 'error':
      draft.fail(part.error);
      return;
    default:
      return takeWords(draft, part);
  }
}

function takeWords(draft: ReplyDraft, part: LanguageModelV4StreamPart): void {
  const kind = /^(text|reasoning)-(start|delta|end)$/.exec(part.type)?.[1];
  if (kind !== 'text' && kind !== 'reasoning') return;
  const { id, delta = '', providerMetadata: options } = part as WordsPart;
  draft.say(kind, delta, { id, options });
}

interface WordsPart {
  readonly id: string;
  readonly delta?: string;
  readonly providerMetadata?: unknown;
}

/** A setting that is mapped to the nearest one of the model still has an effect. */
function ignoredSetting(warning: SharedV4Warning): readonly string[] {
  if (warning.type !== 'unsupported' || !SETTINGS.has(warning.feature)) return [];
  return [warning.details ?? `${warning.feature} is not supported`];
}

const SETTINGS: ReadonlySet<string> = new Set(['temperature', 'reasoning', 'reasoningEffort', 'promptCacheRetention']);

/** Null when the endpoint did not count: zero would be a claim. */
function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null;
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cacheReadTokens: inputTokens.cacheRead ?? 0,
    cacheWriteTokens: inputTokens.cacheWrite ?? 0,
    calls: 1,
  };
}
