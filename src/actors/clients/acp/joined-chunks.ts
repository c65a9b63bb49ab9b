import { type JsonObject, parseObject } from '../../../core/model/json.ts';
import { objectIn } from '../../read-json.ts';

/** More than this of one text is kept as several lines. */
const LONGEST = 1024 * 1024;

/**
 * Keeps an agent's lines. A text that comes in pieces, one line each, is kept as one line: a secret that was cut in two could not
 * be found in it otherwise.
 */
export class JoinedChunks {
  readonly #keep: (line: string) => void;
  #open: Chunk | null = null;

  constructor(keep: (line: string) => void) {
    this.#keep = keep;
  }

  add(line: string): void {
    const chunk = chunkIn(line);
    const open = this.#open;
    if (chunk !== null && open?.around === chunk.around && open.text.length < LONGEST) {
      this.#open = { ...open, text: open.text + chunk.text };
      return;
    }
    this.flush();
    if (chunk === null) this.#keep(line);
    else this.#open = chunk;
  }

  /** Nothing more comes. */
  flush(): void {
    if (this.#open !== null) this.#keep(this.#open.write(this.#open.text));
    this.#open = null;
  }
}

interface Chunk {
  readonly text: string;
  /** All of the line but the text: pieces that belong together are the same here. */
  readonly around: string;
  readonly write: (text: string) => string;
}

function chunkIn(line: string): Chunk | null {
  if (!line.includes('_chunk"')) return null;
  const message = parseObject(line);
  const params = objectIn(message?.['params']);
  const update = objectIn(params['update']);
  const content = objectIn(update['content']);
  const { text } = content;
  if (message === null || content['type'] !== 'text' || typeof text !== 'string') return null;
  const write = (whole: string): string =>
    JSON.stringify({
      ...message,
      params: { ...params, update: { ...update, content: { ...content, text: whole } } },
    } satisfies JsonObject);
  return { text, around: write(''), write };
}
