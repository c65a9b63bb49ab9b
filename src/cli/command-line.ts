import { CommanderError } from 'commander';
import { Fault, isFault } from '../core/model/fault.ts';
import { EXIT, exitCodeOfFault } from './exit-code.ts';
import { buildProgram } from './program.ts';
import { faultText } from './terminal/fault-text.ts';
import { describeError } from '../app/describe-error.ts';
import { openTerminal, processTerminal, type Surroundings, type Terminal } from './terminal/terminal.ts';
import { COMMANDS } from './command-table.ts';

/** Turns an error of the command line parser into a fault. */
export function usageFault(error: CommanderError, [first = '']: readonly string[]): Fault {
  const [message = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = rest.map((line) => line.trim()).filter((line) => line !== '');
  return new Fault('USAGE', [message, ...suggestion].join(' '), {
    hint: COMMANDS.some((spec) => spec.name === first) ? `See: troupe ${first} --help` : 'See: troupe --help',
  });
}

/** Runs one command and ends the process with its exit code. No error ends in a stack trace. */
export async function runCommandLine(given: readonly string[], version: string): Promise<void> {
  // `troupe list | head` closes our output; that is no error.
  process.stdout.on('error', () => process.exit(EXIT.ok));
  const code = await performCommandLine(given, version);
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(code);
}

/** Runs one command in this process and gives its exit code. Errors are printed. */
export async function performCommandLine(
  given: readonly string[],
  version: string,
  surroundings?: Surroundings,
): Promise<number> {
  let code: number = EXIT.ok;
  let words = given;
  let listener: Listener = { stderr: process.stderr, environment: process.env };
  try {
    refuseWindows(process.platform);
    words = withVersionLetter(given);
    const terminal = surroundings === undefined ? processTerminal() : openTerminal(surroundings);
    listener = terminal;
    const program = await buildProgram({ terminal, version, words, done: (result) => (code = result) });
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    code = tellError(error, words, listener);
  }
  return code;
}

/** People try both letters. */
const withVersionLetter = (words: readonly string[]): readonly string[] =>
  words[0] === '-v' ? ['-V', ...words.slice(1)] : words;

/** A pipe takes only so much at a time; ending the process would cut off the rest. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

function refuseWindows(platform: string): void {
  if (platform !== 'win32') return;
  throw new Fault('PLATFORM_UNSUPPORTED', 'Troupe does not run on Windows itself.', {
    hint: 'Use it inside the Windows Subsystem for Linux.',
  });
}

type Listener = Pick<Terminal, 'stderr' | 'environment'>;

function tellError(error: unknown, words: readonly string[], terminal: Listener): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.ok;
    // Without a command the help was printed, which says enough.
    if (error.code === 'commander.help') return EXIT.usage;
    return tellError(usageFault(error, words), words, terminal);
  }
  const debug = Boolean(terminal.environment['TROUPE_DEBUG']) || words.includes('--verbose');
  const isJson = words.includes('--json');
  terminal.stderr.write(`${isJson ? JSON.stringify(describeError(error)) : faultText(error, { debug })}\n`);
  return isFault(error) ? exitCodeOfFault(error.code) : EXIT.failed;
}
