import type { RequestBlock } from '../../actors/model/request-blocks.ts';
import type { CallRequest } from '../../actors/port.ts';
import type { JournalRecord } from '../../core/fact.ts';
import type { Json } from '../../core/json.ts';
import type { TracedCall } from './traced-calls.ts';

/** Says where blocks come from: a role, the shared text, or the records of the journal that hold their text. */
export class BlockOrigins {
  readonly #request: CallRequest;
  readonly #said: readonly Said[];
  readonly #calls = new Map<string, number>();
  readonly #results = new Map<string, number>();

  constructor({ records, announced }: TracedCall, request: CallRequest) {
    this.#request = request;
    const known = records.filter(({ seq }) => seq <= announced.seq);
    this.#said = known.flatMap(saidIn);
    for (const { seq, fact } of known) {
      if (fact.kind === 'call.answered') for (const { id } of fact.message.toolCalls ?? []) this.#calls.set(id, seq);
      if (fact.kind === 'tool.finished') this.#results.set(fact.toolCall, seq);
    }
  }

  of(block: RequestBlock): string {
    if (block.section === 'tools') return this.#isReply(block.name) ? `role ${this.#request.role.name}` : 'built in';
    if (block.section === 'system') return this.#ofSystem(block);
    const { part } = block;
    const result = this.#results.get(idOf(part['tool_use_id'] ?? part['call_id'] ?? part['tool_call_id']));
    if (block.kind.endsWith('result') || block.kind.endsWith('output')) return recordText(result);
    const call = this.#calls.get(idOf(part['id'] ?? part['call_id']));
    return call === undefined ? this.#ofText(block) : recordText(call);
  }

  #isReply(name: string): boolean {
    return this.#request.role.parsingTools.some((tool) => tool.name === name);
  }

  #ofSystem(block: RequestBlock): string {
    const { shared, role } = this.#request;
    const text = idOf(block.part['text']);
    if (shared === '' || !text.includes(shared)) return `role ${role.name}`;
    return text.length > shared.length ? `shared, then role ${role.name}` : 'shared';
  }

  #ofText(block: RequestBlock): string {
    const isOwn = block.name === 'assistant';
    const paragraphs = new Set(idOf(block.part['text']).split('\n\n'));
    const fitting = this.#said.filter(
      ({ content, text, isReply }) =>
        (isReply || !isOwn) &&
        (content.length < LEAST_CHARACTERS ? paragraphs.has(content) : block.text.includes(text)),
    );
    const found = fitting.map(({ origin }) => origin);
    return found.length === 0 ? 'engine' : [...new Set(found)].join(', ');
  }
}

interface Said {
  readonly origin: string;
  readonly content: string;
  /** As it stands inside a JSON string. */
  readonly text: string;
  /** A model said it. */
  readonly isReply: boolean;
}

const recordText = (seq: number | undefined): string => (seq === undefined ? 'engine' : `record ${seq}`);

const idOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function saidIn({ seq, fact }: JournalRecord): readonly Said[] {
  if (fact.kind === 'task.started' && fact.work.kind === 'turn') {
    return said(fact.work.input ?? fact.work.opening ?? '', `order to ${fact.work.agent} (record ${seq})`);
  }
  if (fact.kind === 'call.answered') {
    return said(fact.message.content, `${fact.message.author} (record ${seq})`, true);
  }
  if (fact.kind === 'message.added') {
    return said(fact.message.content, `${fact.by ?? fact.message.author} (record ${seq})`);
  }
  return [];
}

/** Shorter ones would be found everywhere: they must be a whole paragraph. */
const LEAST_CHARACTERS = 8;

function said(content: string, origin: string, isReply = false): readonly Said[] {
  return content === '' ? [] : [{ origin, content, text: JSON.stringify(content).slice(1, -1), isReply }];
}
