import type { CommanderError } from 'commander';
import { Fault } from '../core/fault.ts';
import { COMMANDS } from './command-table.ts';

/** What the parser of the command line did not like, as a fault like any other. */
export function usageFault(error: CommanderError, [first = '']: readonly string[]): Fault {
  const [message = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = rest.map((line) => line.trim()).filter((line) => line !== '');
  return new Fault('USAGE', [message, ...suggestion].join(' '), {
    hint: COMMANDS.some((spec) => spec.name === first) ? `See: troupe ${first} --help` : 'See: troupe --help',
  });
}
