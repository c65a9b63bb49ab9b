import type { Json } from '../../core/json.ts';
import type { Invocation } from '../command-spec.ts';
import { capturedTerminal, type CapturedPlace } from './captured-terminal.ts';
import { printedJson } from './printed-json.ts';

/** Runs a command that only looks in this process, and reads what it prints. The same code as on the command line, and so the same answer. */
export async function lookHere(
  [name = '', ...rest]: readonly string[],
  { perform, ...place }: CapturedPlace & Pick<Invocation, 'perform'>,
): Promise<Json> {
  const terminal = capturedTerminal(place);
  await perform([name, '--json', ...rest], terminal);
  return terminal.secrets.redactJson(printedJson(terminal.printed()));
}
