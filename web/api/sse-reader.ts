/** Server-sent events from the pieces they come in. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Keeps what is not whole yet. */
export class SseReader {
  #rest = '';

  take(piece: string): readonly ServerEvent[] {
    const blocks = (this.#rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => eventOf(block) ?? []);
  }
}

function eventOf(block: string): ServerEvent | null {
  const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/s.exec(line));
  const data = fields.flatMap((field) => (field?.[1] === 'data' ? [field[2] ?? ''] : []));
  if (data.length === 0) return null;
  return { event: fields.findLast((field) => field?.[1] === 'event')?.[2] ?? 'message', data: data.join('\n') };
}
