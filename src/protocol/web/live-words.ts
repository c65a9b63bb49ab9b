import type { Fact } from '../../core/record/fact.ts';
import type { TextDelta } from './stream.ts';

/**
 * Streamed model text bypasses the journal: the process that drives a run writes it to a file of its root while a server reports
 * a listener, and the server reads it from there. Nothing depends on it.
 */
export interface WordsLine extends TextDelta {
  /** The newest record of the run when it was written: an answer that is in a later one was these words. */
  readonly after: number;
  /** The answer is over: that record contains all of it, or the call starts again. */
  readonly isEnd?: true;
}

/** The folder of these files in the engine's home. */
export const LIVE_FOLDER = 'live';

/** Touched by a server while it has a listener. */
export const LISTENING_FILE = 'listening';

/** So old a touch still counts. */
export const LISTENING_MS = 6000;

export const wordsFile = (root: string): string => `${encodeURIComponent(root)}.words`;

/** The run whose words are in a file of this name; null for any other file. */
export function runOfWordsFile(file: string): string | null {
  if (!file.endsWith('.words')) return null;
  try {
    return decodeURIComponent(file.slice(0, -'.words'.length));
  } catch {
    return null;
  }
}

/** The task whose present answer is over with this record. */
export function answeredTask(fact: Fact): string | null {
  switch (fact.kind) {
    case 'call.answered':
    case 'call.failed':
    case 'call.started':
    case 'call.retried':
    case 'task.ended':
      return fact.task;
    default:
      return null;
  }
}

/** Null for half a line, or something else. */
export function parseWords(text: string): WordsLine | null {
  try {
    const line = JSON.parse(text) as Partial<WordsLine> | null;
    const isLine =
      typeof line?.run === 'string' &&
      typeof line.task === 'string' &&
      typeof line.agent === 'string' &&
      typeof line.text === 'string' &&
      typeof line.offset === 'number' &&
      typeof line.after === 'number';
    return isLine ? (line as WordsLine) : null;
  } catch {
    return null;
  }
}
