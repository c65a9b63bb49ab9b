import { spawn } from 'node:child_process';
import { Fault } from '../../core/fault.ts';
import type { Json } from '../../core/json.ts';
import { isJsonObject } from '../../core/json.ts';
import { errorCode } from '../../lib/held-folder.ts';
import { requestArguments, sendRequest } from '../command-request.ts';
import type { ErrorLine } from '../../app/describe-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { printedJson } from './printed-json.ts';

export interface ApartOptions extends Pick<Terminal, 'environment' | 'folder'> {
  /** The program that this is, to be started again. */
  readonly entry: string;
  readonly signal?: AbortSignal;
}

/** More than any command says. */
const MOST_BYTES = 64 * 1024 * 1024;

/** All that a command prints with `--json` in a process of its own. */
export async function printedApart([name = '', ...rest]: readonly string[], options: ApartOptions): Promise<Json> {
  rejectNul(rest);
  const child = startAgain([name, '--json', ...rest], options);
  const [printed, told] = [textOf(child.stdout), textOf(child.stderr)];
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', (error) => reject(notStarted(name, error)));
  child.on('close', resolve);
  const code = await promise;
  const fault = code === 0 ? null : faultIn(await told);
  if (fault !== null) throw fault;
  const answer = printedJson(await printed);
  if (answer === null && code !== 0) throw endedBadly(name, code, await told);
  return answer;
}

/** A command line cannot hold it, and commands that run programs could not pass it on. TEXT_INVALID. */
function rejectNul(words: readonly string[]): void {
  if (words.some((word) => word.includes('\0')))
    throw new Fault('TEXT_INVALID', 'A text must not have the character NUL (U+0000) in it.');
}

/** The same program with another command. */
export function startAgain(words: readonly string[], { entry, environment, folder, signal }: ApartOptions) {
  const child = spawn(process.execPath, [entry, ...requestArguments(words)], {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  sendRequest(child.stdin, words);
  return child;
}

const notStarted = (name: string, error: unknown): Fault =>
  new Fault('INTERNAL', `\`troupe ${name}\` could not be started (${errorCode(error)}).`, {
    cause: error,
  });

export async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes <= MOST_BYTES) pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** With `--json` an error is one line; remarks may stand above it. */
function faultIn(told: string): Fault | null {
  for (const line of told.split('\n').toReversed()) {
    const error = errorLine(line);
    if (error === null) continue;
    const { code, message, problems, hint } = error;
    return new Fault(code, message, { problems, ...(hint === undefined ? {} : { hint }) });
  }
  return null;
}

function errorLine(line: string): ErrorLine | null {
  if (!line.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isErrorLine(value) ? value : null;
  } catch {
    return null;
  }
}

const isErrorLine = (value: unknown): value is ErrorLine =>
  isJsonObject(value) && value['kind'] === 'error' && typeof value['code'] === 'string';

export function endedBadly(name: string, code: number | null, told: string): Fault {
  const last = told.trimEnd().split('\n').at(-1) ?? '';
  return new Fault('INTERNAL', `\`troupe ${name}\` ended with ${code ?? 'a signal'}.${last === '' ? '' : ` ${last}`}`);
}
