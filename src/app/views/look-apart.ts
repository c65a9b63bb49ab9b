import { faultCodeOf } from '../../core/codes/codes.ts';
import { spawn } from 'node:child_process';
import { Fault } from '../../core/model/fault.ts';
import { isJsonObject, parseObject } from '../../core/model/json.ts';
import type { Shown, View } from '../../protocol/operations/views.ts';
import { PROTOCOL } from '../acts/drive-apart.ts';
import type { Caller } from '../caller.ts';
import type { ErrorLine } from '../describe-error.ts';

/** How one process of Troupe asks another to look: over standard input. */
interface LookRequest {
  readonly view: View;
  /** The content of an artifact byte for byte, instead of a line of JSON. */
  readonly isContent: boolean;
}

export interface ApartOptions extends Pick<Caller, 'environment' | 'folder'> {
  /** The program that this is, to be started again. */
  readonly entry: string;
  readonly signal?: AbortSignal;
}

/** More than any view says. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Runs `look` in a separate process, so that a long read holds up no other request. */
export async function lookApart<Kind extends View['kind']>(
  view: Extract<View, { readonly kind: Kind }>,
  options: ApartOptions,
): Promise<Shown<Kind>> {
  const child = startLook({ view, isContent: false }, options);
  const [printed, printedErrors] = [textOf(child.stdout), textOf(child.stderr)];
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject);
  child.on('close', resolve);
  const code = await promise;
  if (code === 0) return JSON.parse(await printed) as Shown<Kind>;
  throw faultIn(await printedErrors) ?? endedBadly(view, code, await printedErrors);
}

/** Streams the content of an artifact from a separate process that ends with its reader. */
export async function* pourApart(view: View, options: ApartOptions): AsyncGenerator<Uint8Array> {
  const child = startLook({ view, isContent: true }, options);
  try {
    const printedErrors = textOf(child.stderr);
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.on('error', reject);
    child.on('close', resolve);
    for await (const piece of child.stdout) yield piece as Uint8Array;
    const code = await promise;
    if (code !== 0) throw endedBadly(view, code, await printedErrors);
  } finally {
    child.kill();
  }
}

function startLook(request: LookRequest, { entry, environment, folder, signal }: ApartOptions) {
  const child = spawn(process.execPath, [entry, 'look', '--json'], {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  // A process that ends before it has read its request reports why in its own way.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify({ protocol: PROTOCOL, ...request }));
  return child;
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes <= MOST_BYTES) pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** An error is one line; remarks may stand above it. */
function faultIn(printedErrors: string): Fault | null {
  for (const line of printedErrors.split('\n').toReversed()) {
    const error = errorLine(line);
    if (error === null) continue;
    const { code, message, problems, hint } = error;
    return new Fault(faultCodeOf(code), message, { problems, ...(hint === undefined ? {} : { hint }) });
  }
  return null;
}

function errorLine(line: string): ErrorLine | null {
  const value: unknown = parseObject(line);
  return isErrorLine(value) ? value : null;
}

const isErrorLine = (value: unknown): value is ErrorLine =>
  isJsonObject(value) && value['kind'] === 'error' && typeof value['code'] === 'string';

function endedBadly({ kind }: View, code: number | null, printedErrors: string): Fault {
  const last = printedErrors.trimEnd().split('\n').at(-1) ?? '';
  const why = last === '' ? '' : ` ${last}`;
  return new Fault('INTERNAL', `Looking at ${kind} ended with ${code ?? 'a signal'}.${why}`);
}
