import type { Overflow } from '../../core/outcome.ts';

/** What an endpoint calls a request that is larger than the model's window: its word, or a sentence with or without numbers. */
const SHAPES: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size_error|model_context_window_exceeded|request_too_large/i,
  // Anthropic
  /prompt is too long/i,
  /exceed context limit: (?<tokens>[\d,]+)/i,
  // OpenAI, xAI, vLLM, OpenRouter, Mistral
  /exceeds the (model's )?context window/i,
  /maximum (context|prompt) length/i,
  // Gemini
  /input token count.{0,20}exceeds the maximum/i,
  // llama.cpp, LM Studio, Ollama
  /exceeds? the available context size|greater than the context length/i,
  // Kimi, MiniMax, Bedrock, Groq
  /exceeded model token limit|context window exceeds limit|input is too long for|reduce the length of the messages/i,
];

/** The window, where the sentence names it. */
const WINDOWS: readonly RegExp[] = [
  /tokens > (?<window>[\d,]+) maximum/i,
  /exceed context limit: [\d,]+ \+ [\d,]+ > (?<window>[\d,]+)/i,
  /maximum (?:context|prompt) length (?:is|of) (?<window>[\d,]+)/i,
  /with (?<window>[\d,]+) maximum context length/i,
  /exceeds the maximum number of tokens allowed \(?(?<window>[\d,]+)/i,
  /available context size \((?<window>[\d,]+)/i,
  /context (?:window|length|limit) (?:of|is|:) ?(?<window>[\d,]+)/i,
  /token limit: (?<window>[\d,]+)/i,
];

/** How large the request was, where the sentence names it. */
const SIZES: readonly RegExp[] = [
  /prompt is too long: (?<tokens>[\d,]+)/i,
  /exceed context limit: (?<tokens>[\d,]+)/i,
  /(?:you requested|resulted in|request contains|prompt contains) (?:about |at least )?(?<tokens>[\d,]+)/i,
  /input token count \(?(?<tokens>[\d,]+)/i,
  /request \((?<tokens>[\d,]+) tokens\)/i,
];

/** Null when these words are about something else. `window` and `tokens` beside the sentence, as llama.cpp sends them, win. */
export function overflowIn(words: string, fields: Overflow = {}): Overflow | null {
  if (!SHAPES.some((shape) => shape.test(words))) return null;
  return {
    ...named('window', fields.window ?? numberIn(words, WINDOWS)),
    ...named('tokens', fields.tokens ?? numberIn(words, SIZES)),
  };
}

function numberIn(words: string, shapes: readonly RegExp[]): number | undefined {
  for (const shape of shapes) {
    const found = Object.values(shape.exec(words)?.groups ?? {})[0];
    if (found !== undefined) return Number(found.replaceAll(',', ''));
  }
  return undefined;
}

function named(name: keyof Overflow, value: number | undefined): Overflow {
  return value !== undefined && Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {};
}
