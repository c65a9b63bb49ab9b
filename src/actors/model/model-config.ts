import { Fault } from '../../core/model/fault.ts';
import type { CostUsd, Usage } from '../../core/model/usage.ts';
import { type ModelWindow, usualOutput } from '../../core/model/model-window.ts';

/** USD per million tokens. Cached tokens without a price cost as much as fresh ones. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

const MILLION = 1_000_000;

/** Null rather than a guess: without a price, or without the tokens it applies to. */
export function costOf(usage: Usage | null, price: Price | undefined): CostUsd {
  if (usage === null || price === undefined) return null;
  const fresh = Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens);
  const total =
    fresh * price.input +
    usage.cacheReadTokens * (price.cacheRead ?? price.input) +
    usage.cacheWriteTokens * (price.cacheWrite ?? price.input) +
    usage.outputTokens * price.output;
  return total / MILLION;
}

/** One model of the configuration: its address, its protocol, its price. */
export interface ModelConfig {
  /** Its display name; roles name it through their level. */
  readonly name: string;
  readonly provider: 'openai-compatible' | 'openai' | 'anthropic';
  /** Needed for `openai-compatible`; the others know their vendor's address. */
  readonly baseUrl?: string;
  /** The name the endpoint knows it by. */
  readonly model: string;
  readonly apiKey?: string;
  readonly price?: Price;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxOutputTokens?: number;
  /** Tokens that the model takes in one request, the reply included; by its name and address when left out. */
  readonly window?: number;
  readonly temperature?: number;
  /** How much it thinks; default: the model's own. */
  readonly effort?: Effort;
  /** Whether the provider caches prefixes, and for how long; default: `on`. */
  readonly caching?: Caching;
  /** For one whole call, from the first byte sent to the last one read. */
  readonly requestTimeoutMs?: number;
}

export const EFFORTS = ['off', 'low', 'medium', 'high', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export const CACHING = ['on', 'off', '1h'] as const;
export type Caching = (typeof CACHING)[number];

export interface Endpoint {
  readonly url: string;
  /** Host and port: all of the address that may stand in a message. */
  readonly host: string;
  readonly isLoopback: boolean;
}

const VENDOR_URLS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  'openai-compatible': undefined,
} as const;

/** Always given to the provider, so that no variable of the environment can send a key elsewhere. */
export function endpointOf(config: ModelConfig): Endpoint {
  const text = config.baseUrl ?? VENDOR_URLS[config.provider];
  if (text === undefined) {
    throw new Fault('MODEL_CONFIG', `Model "${config.name}" has no base URL.`, {
      hint: 'An openai-compatible model needs one, such as http://127.0.0.1:11434/v1.',
    });
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new Fault('MODEL_CONFIG', `The base URL of model "${config.name}" is not an http or https address.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw new Fault('MODEL_CONFIG', `The base URL of model "${config.name}" holds credentials or a query.`, {
      hint: 'Put keys into apiKey or headers; the base URL is only scheme, host and path.',
    });
  }
  // All three wire formats live under /v1, and people leave it out as often as not.
  if (url.pathname === '/') url.pathname = '/v1';
  return { url: url.href.replace(/\/+$/, ''), host: url.host, isLoopback: isLoopbackHost(url.hostname) };
}

/** Whether an address belongs to this machine; false for text that is no address. */
export function isLoopbackAddress(address: string): boolean {
  return isLoopbackHost(URL.parse(address)?.hostname ?? '');
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

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

/** The model's window according to its settings, its name and its address. */
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

/** Room for the reply: the configured size, else the family's limit, at most a fifth of the window. */
function outputRoom(tokens: number, { configured, usual = Infinity }: OutputTokens): number {
  return configured === undefined ? Math.min(usual, usualOutput(tokens)) : Math.min(configured, tokens);
}
