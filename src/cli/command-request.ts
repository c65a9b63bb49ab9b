import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { Fault } from '../core/fault.ts';
import { isJsonObject } from '../core/json.ts';

/**
 * How one Troupe process gives a command to another. Every user of the machine can read a process's arguments, so these name
 * only the verb; the whole command line, with the texts of users, comes over standard input (R2).
 */
const FLAG = '--request';

export const requestArguments = ([verb = '']: readonly string[]): readonly string[] => [FLAG, verb];

export function sendRequest(stdin: Writable | null, words: readonly string[]): void {
  // A process that ends before it has read its request reports why in its own way.
  stdin?.on('error', () => undefined);
  stdin?.end(JSON.stringify({ words }));
}

/** The command line that a process was started with, or the one it was sent. */
export function receivedWords(given: readonly string[]): readonly string[] {
  return given[0] === FLAG ? wordsIn(readFileSync(0, 'utf8')) : given;
}

function wordsIn(text: string): readonly string[] {
  const request = parsedRequest(text);
  const words = isJsonObject(request) ? request['words'] : null;
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new Fault('USAGE', 'Standard input holds no whole request.', {
    hint: '--request is for Troupe itself. It reads one JSON object: {"words": ["list", "--json"]}',
  });
}

function parsedRequest(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
