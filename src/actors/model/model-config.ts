import { Fault } from '../../core/fault.ts';
import type { Price } from './price.ts';

/** One model of the configuration: where it is, how it is spoken to, what it costs. */
export interface ModelConfig {
  /** What people call it; roles name it through their level. */
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
  /** How much it thinks; the model's own default where nothing is said. */
  readonly effort?: Effort;
  /** Whether prefixes are kept by the provider, and for how long; `on` where nothing is said. */
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

/** Whether an address is one of this machine's own. What cannot be read as an address is not. */
export function isLoopbackAddress(address: string): boolean {
  return isLoopbackHost(URL.parse(address)?.hostname ?? '');
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
