import { rootRunId, runId, type RunId } from '../../core/model/ids.ts';
import type { WordsLine } from '../../protocol/web/live-words.ts';
import type { TextDelta } from '../../protocol/web/stream.ts';

/** An answer as far as it has come. */
export interface OpenAnswer {
  readonly run: string;
  readonly task: string;
  readonly agent: string;
  /** Another answer of the same task has another number. */
  readonly number: number;
  /** Where in the answer the text begins that is known of it. */
  readonly start: number;
  readonly text: string;
}

/** The answers that are being given now, by run and task. Each stream sends of them what it has not sent yet, so nothing is queued. */
export class WordBook {
  readonly #answers = new Map<string, Map<string, OpenAnswer>>();
  /** By run and task, the newest record that ended an answer: what was written before it comes too late. */
  readonly #ended = new Map<string, Map<string, number>>();
  /** By run, the tasks whose answer is over and not recorded yet: what was said of it stays where it was sent. */
  readonly #unrecorded = new Map<string, Set<string>>();
  #count = 0;

  of(run: string): Iterable<OpenAnswer> {
    return this.#answers.get(run)?.values() ?? [];
  }

  /** Whether anything is new by it. */
  take(line: WordsLine): boolean {
    const { run, task, after } = line;
    if (line.isEnd === true) return this.#stop(run, task, after);
    return after >= (this.#ended.get(run)?.get(task) ?? 0) && this.#add(line);
  }

  /** Nothing is new by it: a stream takes its words back with their record. */
  #stop(run: string, task: string, after: number): false {
    if (!this.end(run, task, after)) return false;
    this.#unrecorded.set(run, (this.#unrecorded.get(run) ?? new Set()).add(task));
    return false;
  }

  isUnrecorded({ run, task }: OpenAnswer): boolean {
    return this.#unrecorded.get(run)?.has(task) === true;
  }

  #add({ run, task, agent, offset, text }: WordsLine): boolean {
    const answers = this.#answers.get(run) ?? new Map<string, OpenAnswer>();
    this.#answers.set(run, answers);
    const known = answers.get(task);
    if (known === undefined || offset === 0 || offset > known.start + known.text.length) {
      // An answer that is sent again from its beginning for a new listener is the same answer.
      const isSame = known !== undefined && known.start === 0 && text.startsWith(known.text);
      const number = isSame ? known.number : (this.#count += 1);
      answers.set(task, { run, task, agent, number, start: offset, text });
      return true;
    }
    const said = known.text.slice(0, offset - known.start) + text;
    if (said.length <= known.text.length) return false;
    answers.set(task, { ...known, ...shortened(known.start, said) });
    return true;
  }

  /** Whether any words were there. */
  end(run: string, task: string, seq: number): boolean {
    this.#unrecorded.get(run)?.delete(task);
    const hadWords = this.#answers.get(run)?.delete(task) === true;
    const ended = this.#ended.get(run) ?? new Map<string, number>();
    this.#ended.set(run, ended);
    const newest = Math.max(seq, ended.get(task) ?? 0);
    ended.delete(task);
    ended.set(task, newest);
    const [oldest] = ended.keys();
    if (ended.size > KEPT_ENDS && oldest !== undefined) ended.delete(oldest);
    return hadWords;
  }

  /** Of all runs below it too, whether or not anybody followed them: their words are in the same file. */
  forget(root: RunId): void {
    for (const known of [this.#answers, this.#ended, this.#unrecorded])
      for (const run of known.keys()) if (rootRunId(runId(run)) === root) known.delete(run);
  }
}

const KEPT_ENDS = 1000;
const LONGEST = 512 * 1024;

/** Of an endless answer the end is kept. */
const shortened = (start: number, text: string): { readonly start: number; readonly text: string } =>
  text.length <= LONGEST ? { start, text } : { start: start + text.length - LONGEST, text: text.slice(-LONGEST) };

interface Sent {
  readonly answer: OpenAnswer;
  readonly end: number;
}

/** How far one stream has sent the answers of the runs it follows. */
export class SentWords {
  #sent = new Map<string, Sent>();

  /** Unsent text, and ended answers: a client that got the record first must drop their text. */
  news(book: WordBook, runs: Iterable<string>): readonly TextDelta[] {
    const deltas: TextDelta[] = [];
    const sent = new Map<string, Sent>();
    for (const run of runs) {
      for (const answer of book.of(run)) {
        const key = `${run} ${answer.task}`;
        const end = answer.start + answer.text.length;
        const before = this.#sent.get(key);
        const from = before?.answer.number === answer.number ? Math.max(before.end, answer.start) : answer.start;
        sent.set(key, { answer, end });
        if (from < end) deltas.push(deltaOf(answer, from));
      }
    }
    for (const [key, before] of this.#sent) {
      if (sent.has(key)) continue;
      if (book.isUnrecorded(before.answer)) sent.set(key, before);
      else deltas.push(deltaOf({ ...before.answer, start: 0, text: '' }, 0));
    }
    this.#sent = sent;
    return deltas;
  }
}

const deltaOf = ({ run, task, agent, start, text }: OpenAnswer, from: number): TextDelta => ({
  run,
  task,
  agent,
  offset: from,
  text: text.slice(from - start),
});
