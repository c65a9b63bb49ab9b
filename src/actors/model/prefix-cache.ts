import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { objectListIn, stringIn } from '../read-json.ts';

/** Beginnings of requests: a common beginning is stored once, so a further request costs no more than its own blocks. */
class PrefixTree {
  readonly #next = new Map<string, PrefixTree>();
  /** The same texts in order: the one that is most like another stands next to its place. */
  readonly #texts: string[] = [];
  /** A prefix that ends here was written to a cache. */
  isWritten = false;

  /** The tree after this text; undefined if no request continued with it. */
  after(text: string): PrefixTree | undefined {
    return this.#next.get(text);
  }

  grow(text: string): PrefixTree {
    const known = this.#next.get(text);
    if (known !== undefined) return known;
    const grown = new PrefixTree();
    this.#next.set(text, grown);
    this.#texts.splice(this.#placeOf(text), 0, text);
    return grown;
  }

  /** With how many of its characters some text here begins. */
  longestShared(text: string): number {
    const place = this.#placeOf(text);
    const [before, after] = [this.#texts[place - 1] ?? '', this.#texts[place] ?? ''];
    return Math.max(sharedLength(before, text), sharedLength(after, text));
  }

  #placeOf(text: string): number {
    let [low, high] = [0, this.#texts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#texts[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** How many characters two texts begin with alike. */
export function sharedLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}

/** A piece of a request in the order in which a provider reads it: tools, system, messages. */
export interface RequestBlock {
  readonly section: 'tools' | 'system' | 'messages';
  /** The tool's name, or the side that speaks. */
  readonly name: string;
  /** The vendor's word for it: `text`, `tool_use`, `tool_result`, … */
  readonly kind: string;
  /** All of it as it left, without its cache mark. */
  readonly part: JsonObject;
  /** The same on one line. */
  readonly text: string;
  readonly isMarked: boolean;
  readonly tokens: number;
}

/** UTF-8 bytes divided by three: too many for prose, about right for code and tool output. Used for ratios and bars, not for bills. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);

const BYTES_A_TOKEN = 3;

/** Reads the body of a request in any of the three wire formats. */
export function requestBlocks(body: JsonObject): readonly RequestBlock[] {
  const tools = objectListIn(body['tools']).map((tool) => block('tools', toolName(tool), tool));
  const system = systemOf(body['system']);
  const spoken = objectListIn(body['messages'] ?? body['input']).flatMap(messageBlocks);
  return [...tools, ...system, ...spoken];
}

function toolName(tool: JsonObject): string {
  return stringIn((isJsonObject(tool['function']) ? tool['function'] : tool)['name']);
}

function systemOf(system: Json | undefined): readonly RequestBlock[] {
  if (typeof system === 'string') return [block('system', 'system', { type: 'text', text: system })];
  return objectListIn(system).map((part) => block('system', 'system', part));
}

const SYSTEM_ROLES: ReadonlySet<Json | undefined> = new Set(['system', 'developer']);

function messageBlocks(message: JsonObject): readonly RequestBlock[] {
  const { role, content, tool_calls: calls, ...rest } = message;
  const section = SYSTEM_ROLES.has(role) ? 'system' : 'messages';
  const name = textOr(role, textOr(message['type'], ''));
  // Its own item, as calls and results are in the Responses format.
  if (role === undefined) return [block(section, name, message)];
  if (role === 'tool') return [block(section, name, { type: 'tool_result', content: content ?? null, ...rest })];
  const parts = typeof content === 'string' ? [{ type: 'text', text: content, ...rest }] : objectListIn(content);
  const spoken = parts.filter((part) => part['text'] !== '' || 'cache_control' in part);
  const called = objectListIn(calls).map((call) => ({ ...call, type: 'tool_use' }));
  return [...spoken, ...called].map((part) => block(section, name, part));
}

function block(section: RequestBlock['section'], name: string, given: JsonObject): RequestBlock {
  const { cache_control: mark, ...rest } = given;
  const text = `${name} ${JSON.stringify(rest)}`;
  const kind = section === 'tools' ? 'tool' : textOr(given['type'], 'text');
  return { section, name, kind, part: rest, text, isMarked: mark !== undefined, tokens: estimateTokens(text) };
}

const textOr = (value: Json | undefined, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** Simulates a provider's prompt cache; entries are readable once an answer has begun. */
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

/** The end of each block of a request in the tree. */
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

/** Settings that change how a section is read without changing its text. */
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
