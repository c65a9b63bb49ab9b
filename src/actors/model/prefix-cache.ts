import { createHash } from 'node:crypto';
import type { JsonObject } from '../../core/json.ts';
import { requestBlocks, type RequestBlock } from './request-blocks.ts';

/** What a provider's prompt cache would read of each request; entries are readable once an answer has begun. */
export interface PrefixCache {
  /** Tokens of this request that the cache holds. */
  read(request: CachedRequest): number;
  write(request: CachedRequest): void;
}

export interface CachedRequest {
  readonly body: JsonObject;
  readonly blocks: readonly RequestBlock[];
}

export const cachedRequest = (body: JsonObject): CachedRequest => ({ body, blocks: requestBlocks(body) });

export const inputTokens = ({ blocks }: CachedRequest): number => blocks.reduce((sum, { tokens }) => sum + tokens, 0);

export const prefixCache = (provider: 'anthropic' | 'openai' | 'openai-compatible'): PrefixCache =>
  provider === 'anthropic' ? markedPrefixes() : automaticPrefixes();

const LOOKBACK = 20;
const LEAST_TOKENS = 1024;
const STEP_TOKENS = 128;

/** Anthropic: prefixes up to a mark are written, and each mark finds one at most 20 positions before it. Time to live is not modelled. */
function markedPrefixes(): PrefixCache {
  const entries = new Set<string>();
  return {
    read(request) {
      const { hashes, tokens, positions } = prefixesOf(request);
      let best = 0;
      for (const [at, { isMarked }] of request.blocks.entries()) {
        if (!isMarked) continue;
        for (let back = at; back >= 0 && (positions[at] ?? 0) - (positions[back] ?? 0) <= LOOKBACK; back -= 1) {
          if (entries.has(hashes[back] ?? '')) best = Math.max(best, tokens[back] ?? 0);
        }
      }
      return best;
    },
    write(request) {
      const { hashes, tokens } = prefixesOf(request);
      for (const [at, { isMarked }] of request.blocks.entries()) {
        if (isMarked && (tokens[at] ?? 0) >= LEAST_TOKENS) entries.add(hashes[at] ?? '');
      }
    },
  };
}

interface Prefixes {
  readonly hashes: readonly string[];
  readonly tokens: readonly number[];
  readonly positions: readonly number[];
}

function prefixesOf({ body, blocks }: CachedRequest): Prefixes {
  const hash = createHash('sha256').update(JSON.stringify([body['model'] ?? null]));
  const [hashes, tokens, positions]: [string[], number[], number[]] = [[], [], []];
  let [sum, position] = [0, 0];
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1];
    const settings = block.section === before?.section ? '' : settingsOf(block.section, body);
    hash.update(`${settings}${block.section} ${block.text}\n`);
    // A run of calls, or of results, is one position.
    if (!(before?.kind === block.kind && block.kind.startsWith('tool_'))) position += 1;
    sum += block.tokens;
    hashes.push(hash.copy().digest('hex'));
    tokens.push(sum);
    positions.push(position);
  }
  return { hashes, tokens, positions };
}

/** What changes how a section is read without a change of its text. */
function settingsOf(section: RequestBlock['section'], body: JsonObject): string {
  const names = section === 'messages' ? ['tool_choice', 'thinking'] : [];
  return JSON.stringify(names.map((name) => body[name] ?? null));
}

/** OpenAI and compatible endpoints: the longest prefix of any earlier request, from 1,024 tokens on, in steps of 128. */
function automaticPrefixes(): PrefixCache {
  const known: CachedRequest[] = [];
  return {
    read(request) {
      const longest = Math.max(0, ...known.map((earlier) => sharedTokens(earlier, request)));
      return longest < LEAST_TOKENS ? 0 : longest - (longest % STEP_TOKENS);
    },
    write: (request) => void known.push(request),
  };
}

/** Tokens up to the first place where two requests differ. */
export function sharedTokens(one: CachedRequest, other: CachedRequest): number {
  if (one.body['model'] !== other.body['model']) return 0;
  let tokens = 0;
  for (const [at, block] of other.blocks.entries()) {
    const earlier = one.blocks[at];
    if (earlier?.text === block.text) {
      tokens += block.tokens;
      continue;
    }
    const same = earlier === undefined ? 0 : sharedLength(earlier.text, block.text);
    return tokens + Math.floor((block.tokens * same) / block.text.length);
  }
  return tokens;
}

/** How many characters two texts begin with alike. */
export function sharedLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}
