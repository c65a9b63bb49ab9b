import { CommanderError } from 'commander';
import type { Json } from '../../core/json.ts';
import { buildProgram } from '../program.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { usageFault } from '../usage-fault.ts';
import { capturedTerminal } from './captured-terminal.ts';
import { printedJson } from './printed-json.ts';

/** Runs a command that only looks in this process, and reads what it prints. The same code as on the command line, and so the same answer. */
export async function lookHere(
  [name = '', ...rest]: readonly string[],
  options: Pick<Terminal, 'environment' | 'folder'> & { readonly version: string },
): Promise<Json> {
  const terminal = capturedTerminal(options);
  const words = [name, '--json', ...rest];
  const program = await buildProgram({ terminal, version: options.version, words, done: () => undefined });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? usageFault(error, words) : error;
  }
  return printedJson(terminal.printed());
}
