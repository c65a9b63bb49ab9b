import { usualOutput, type ModelWindow } from '../../core/model-window.ts';
import type { Endpoint, ModelConfig } from './model-config.ts';

/** Tokens in all and for the reply, by the name that endpoints know a family by. The first that fits counts. */
const FAMILIES: readonly (readonly [RegExp, number, number])[] = [
  [/claude-(fable|opus|sonnet|haiku)-5|claude-opus-4[-.][678]|claude-sonnet-4[-.]6/, 1_000_000, 128_000],
  [/claude/, 200_000, 64_000],
  [/gpt-(6|5\.[4-9])/, 1_050_000, 128_000],
  [/gpt-5/, 400_000, 128_000],
  [/gemini-[34]/, 1_048_576, 65_536],
  [/qwen-?3\.7-max/, 1_000_000, 65_536],
  [/qwen-?3(-max|\.5)/, 262_144, 65_536],
  [/deepseek-v4/, 1_000_000, 384_000],
  [/kimi-k3/, 1_048_576, 131_072],
  [/kimi-k2\.6/, 262_144, 65_536],
  [/glm-5\.[23]/, 1_000_000, 131_072],
  [/glm-4\.[67]/, 204_800, 131_072],
  [/llama-?(3\.3|4)/, 128_000, 4096],
];

const UNKNOWN = 128_000;

/** Ollama gives 4K by default, whatever the model could take, and cuts longer requests off without an error. */
const OLLAMA = { port: '11434', tokens: 4096 };

/** Claude since Opus 4.7 makes about 30 % more tokens of a text than other models. */
const CLAUDE_DENSITY = 1.3;

/** What a model takes, as far as its settings, its name and its address say. */
export function windowOf(config: ModelConfig, endpoint: Endpoint): ModelWindow {
  const name = config.model.toLowerCase();
  const isOllama = endpoint.isLoopback && new URL(endpoint.url).port === OLLAMA.port;
  const [, inTable = UNKNOWN, reply] = FAMILIES.find(([family]) => family.test(name)) ?? [];
  const tokens = config.window ?? (isOllama ? OLLAMA.tokens : inTable);
  const isClaude = name.includes('claude');
  return {
    model: config.name,
    tokens,
    output: outputRoom(tokens, { configured: config.maxOutputTokens, usual: reply }),
    isConfigured: config.window !== undefined,
    density: isClaude ? CLAUDE_DENSITY : 1,
    // Claude binds its thinking to everything before it, and OpenAI's reasoning comes back encrypted.
    mayEdit: config.provider === 'openai-compatible' && !isClaude,
  };
}

interface OutputTokens {
  readonly configured: number | undefined;
  readonly usual: number | undefined;
}

/** Room for the reply: what is configured, else what the family may write, at most a fifth of the window. */
function outputRoom(tokens: number, { configured, usual = Infinity }: OutputTokens): number {
  return configured === undefined ? Math.min(usual, usualOutput(tokens)) : Math.min(configured, tokens);
}
