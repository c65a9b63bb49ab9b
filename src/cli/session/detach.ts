import { openSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import { Fault, type FaultOptions } from '../../core/fault.ts';
import type { Invocation } from '../command-spec.ts';
import { requestArguments, sendRequest } from '../command-request.ts';
import { describeError } from '../../app/describe-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Set for the process in the background, which tells the one in front what became of the start. */
const MARK = 'TROUPE_DETACHED';

type StartReport =
  | { readonly kind: 'started'; readonly run: string }
  | { readonly kind: 'refused'; readonly error: ReturnType<typeof describeError> };

/** Starts the same command again in the background and waits until it has a run. */
export async function startDetached({ terminal, commandLine }: Invocation, home: string): Promise<string> {
  refuseWeb(commandLine);
  const { spawn } = await import('node:child_process');
  makeFolder(home, 0o700);
  const log = openSync(join(home, 'detached.log'), 'a', 0o600);
  const words = wordsWithout('--detach', commandLine).toSpliced(1, 0, '--no-input');
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...requestArguments(words)], {
    detached: true,
    stdio: ['pipe', 'ignore', log, 'ipc'],
    cwd: terminal.folder,
    env: { ...terminal.environment, [MARK]: '1' },
  });
  sendRequest(child.stdin, words);
  const { promise, resolve } = Promise.withResolvers<StartReport>();
  child.on('message', (message) => resolve(message as StartReport));
  child.on('error', (error) => resolve({ kind: 'refused', error: describeError(error) }));
  child.on('exit', (code) => resolve({ kind: 'refused', error: endedEarly(code) }));
  const report = await promise;
  child.unref();
  if (child.connected) child.disconnect();
  if (report.kind === 'started') return report.run;
  throw new Fault(report.error.code, report.error.message, faultOptions(report.error));
}

function refuseWeb(words: readonly string[]): void {
  if (!words.slice(0, endOfOptions(words)).includes('--web')) return;
  throw new Fault('USAGE', '--web and --detach do not go together: the page would end with this process.', {
    hint: 'Leave --web out, and open the page with: troupe serve',
  });
}

/** What stands after `--` is no option, whatever it looks like. */
const endOfOptions = (words: readonly string[]): number => (words.includes('--') ? words.indexOf('--') : words.length);

function wordsWithout(option: string, words: readonly string[]): readonly string[] {
  const end = endOfOptions(words);
  return [...words.slice(0, end).filter((word) => word !== option), ...words.slice(end)];
}

function endedEarly(code: number | null): ReturnType<typeof describeError> {
  return describeError(
    new Fault('DETACH_FAILED', `The background process ended with ${code} before the run had started.`),
  );
}

function faultOptions(error: ReturnType<typeof describeError>): FaultOptions {
  return { problems: error.problems, ...(error.hint === undefined ? {} : { hint: error.hint }) };
}

/** In the background: says that the run has started; from then on nobody listens. */
export function reportStarted(terminal: Terminal, run: string): void {
  report(terminal, { kind: 'started', run });
}

/** In the background: says why there will be no run. */
export function reportRefused(terminal: Terminal, error: unknown): void {
  report(terminal, { kind: 'refused', error: describeError(error) });
}

function report(terminal: Terminal, message: StartReport): void {
  if (terminal.environment[MARK] !== '1') return;
  process.send?.(message, undefined, undefined, () => {
    if (process.connected) process.disconnect?.();
  });
}
