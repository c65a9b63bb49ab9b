import type { RequestBlock } from '../../actors/model/request-blocks.ts';
import type { CallRequest } from '../../actors/port.ts';
import type { JournalRecord } from '../../core/fact.ts';
import type { Json } from '../../core/json.ts';
import type { Message } from '../../core/message.ts';
import { sourceOf } from '../../core/view.ts';
import type { Tool } from '../../tools/port.ts';
import type { TracedCall } from './traced-calls.ts';

/**
 * Says where blocks come from: a role, the shared text, or the records of the journal that hold their text. Blocks are asked
 * for in their order, because messages stand in them in the order of the request.
 */
export class BlockOrigins {
  readonly #request: CallRequest;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #calls = new Map<string, number>();
  readonly #results = new Map<string, number>();
  /** The texts that are still to come. */
  #texts: readonly OriginText[];

  constructor({ records, announced, messages }: TracedCall, request: CallRequest, tools: readonly Tool[]) {
    this.#request = request;
    this.#tools = new Map(tools.map((tool) => [tool.spec.name, tool]));
    this.#texts = request.messages.flatMap((seen): readonly OriginText[] => {
      const source = sourceOf(seen);
      const record = source === undefined ? undefined : messages.of(source);
      const text = seen.content.trim();
      if (text === '' || seen.role === 'tool') return [];
      const isOwn = seen.role === 'assistant';
      return [{ text, origin: source && record ? originText(source, record) : ENGINE, isOwn }];
    });
    for (const { seq, fact } of records) {
      if (seq > announced.seq) break;
      if (fact.kind === 'call.answered') for (const { id } of fact.message.toolCalls ?? []) this.#calls.set(id, seq);
      if (fact.kind === 'tool.finished') this.#results.set(fact.toolCall, seq);
    }
  }

  of(block: RequestBlock): string {
    if (block.section === 'tools') return this.#ofTool(block.name);
    if (block.section === 'system') return this.#ofSystem(block);
    const { part } = block;
    const result = this.#results.get(idOf(part['tool_use_id'] ?? part['call_id'] ?? part['tool_call_id']));
    if (block.kind.endsWith('result') || block.kind.endsWith('output')) return recordText(result);
    const call = this.#calls.get(idOf(part['id'] ?? part['call_id']));
    return call === undefined ? this.#ofText(block) : recordText(call);
  }

  #ofTool(name: string): string {
    if (this.#request.role.parsingTools.some((tool) => tool.name === name)) return `role ${this.#request.role.name}`;
    return TOOL_ORIGINS[this.#tools.get(name)?.origin ?? 'troupe'];
  }

  #ofSystem(block: RequestBlock): string {
    const { role } = this.#request;
    const at = role.systemMessage === '' ? -1 : idOf(block.part['text']).indexOf(role.systemMessage);
    return at === -1 ? 'shared' : at === 0 ? `role ${role.name}` : `shared, then role ${role.name}`;
  }

  /** A block holds the next of the texts, or several of them where the wire format joins them. */
  #ofText({ part, name }: RequestBlock): string {
    let left = idOf(part['text']);
    const found = new Set<string>();
    for (;;) {
      const at = this.#texts.findIndex(({ text, isOwn }) => isOwn === (name === 'assistant') && left.includes(text));
      const next = this.#texts[at];
      if (next === undefined) break;
      found.add(next.origin);
      left = left.slice(left.indexOf(next.text) + next.text.length);
      this.#texts = this.#texts.slice(at + 1);
    }
    found.delete(ENGINE);
    return found.size === 0 ? ENGINE : [...found].join(', ');
  }
}

interface OriginText {
  readonly text: string;
  readonly origin: string;
  /** The agent said it itself. */
  readonly isOwn: boolean;
}

const ENGINE = 'engine';

const TOOL_ORIGINS: Readonly<Record<NonNullable<Tool['origin']> | 'troupe', string>> = {
  troupe: 'built in',
  mcp: 'MCP server',
  project: 'project',
};

const recordText = (seq: number | undefined): string => (seq === undefined ? ENGINE : `record ${seq}`);

const idOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function originText({ author, to }: Message, { seq, fact }: JournalRecord): string {
  const by = fact.kind === 'message.added' ? fact.by : undefined;
  const order = `order${to === undefined ? '' : ` to ${to}`}`;
  const engine = fact.kind === 'turn.compacted' ? 'summary' : ENGINE;
  const said = author === 'workflow' ? order : author === 'troupe' ? engine : author;
  return `${by ?? said} (record ${seq})`;
}
