import type { JsonObject } from '../../core/json.ts';
import { PrefixTree } from './prefix-tree.ts';
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
  const tree = new PrefixTree();
  return {
    read(request) {
      const { blocks } = request;
      const places = placesOf<PrefixTree | undefined>(request, (place, step) => place?.after(step), tree);
      const [positions, tokens] = [positionsOf(blocks), tokensUpTo(blocks)];
      let best = 0;
      for (const [at, { isMarked }] of blocks.entries()) {
        if (!isMarked) continue;
        for (let back = at; back >= 0 && (positions[at] ?? 0) - (positions[back] ?? 0) <= LOOKBACK; back -= 1) {
          if (places[back]?.isWritten === true) best = Math.max(best, tokens[back] ?? 0);
        }
      }
      return best;
    },
    write(request) {
      const { blocks } = request;
      const end = blocks.findLastIndex(({ isMarked }) => isMarked) + 1;
      const places = placesOf({ ...request, blocks: blocks.slice(0, end) }, (place, step) => place.grow(step), tree);
      const tokens = tokensUpTo(blocks);
      for (const [at, place] of places.entries()) {
        if (blocks[at]?.isMarked === true && (tokens[at] ?? 0) >= LEAST_TOKENS) place.isWritten = true;
      }
    },
  };
}

/** Where in the tree each block of a request ends. */
function placesOf<Place>(
  { body, blocks }: CachedRequest,
  go: (from: Place, step: string) => Place,
  root: Place,
): readonly Place[] {
  let place = go(root, JSON.stringify([body['model'] ?? null]));
  return blocks.map(({ section, text }, at) => {
    if (section !== blocks[at - 1]?.section) place = go(place, settingsOf(section, body));
    place = go(place, text);
    return place;
  });
}

/** What changes how a section is read without a change of its text. */
function settingsOf(section: RequestBlock['section'], body: JsonObject): string {
  const names = section === 'messages' ? ['tool_choice', 'thinking'] : [];
  return JSON.stringify([section, ...names.map((name) => body[name] ?? null)]);
}

/** A run of calls, or of results, is one position. */
function positionsOf(blocks: readonly RequestBlock[]): readonly number[] {
  let position = 0;
  return blocks.map(({ kind }, at) => {
    if (!(blocks[at - 1]?.kind === kind && kind.startsWith('tool_'))) position += 1;
    return position;
  });
}

function tokensUpTo(blocks: readonly RequestBlock[]): readonly number[] {
  let sum = 0;
  return blocks.map(({ tokens }) => (sum += tokens));
}

/** OpenAI and compatible endpoints: the longest prefix of any earlier request, from 1,024 tokens on, in steps of 128. */
function automaticPrefixes(): PrefixCache {
  const tree = new PrefixTree();
  const modelOf = ({ body }: CachedRequest): string => JSON.stringify([body['model'] ?? null]);
  return {
    read(request) {
      const known = tree.after(modelOf(request));
      const longest = known === undefined ? 0 : tokensWithin(known, request);
      return longest < LEAST_TOKENS ? 0 : longest - (longest % STEP_TOKENS);
    },
    write(request) {
      let place = tree.grow(modelOf(request));
      for (const { text } of request.blocks) place = place.grow(text);
    },
  };
}

/** Tokens up to the first place where a request differs from all that the tree knows. */
function tokensWithin(tree: PrefixTree, { blocks }: CachedRequest): number {
  let [place, sum] = [tree, 0];
  for (const { text, tokens } of blocks) {
    const next = place.after(text);
    if (next === undefined) return sum + Math.floor((tokens * place.longestShared(text)) / text.length);
    [place, sum] = [next, sum + tokens];
  }
  return sum;
}
