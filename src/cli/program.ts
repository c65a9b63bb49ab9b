import { Command, Option } from 'commander';
import { Fault } from '../core/model/fault.ts';
import { COMMANDS } from './command-table.ts';
import { learnSecrets } from '../app/config/project.ts';
import { COMMON_OPTIONS, type CommandSpec, type OptionSpec } from './invocation.ts';
import { HELP_TOPICS } from './help-topics.ts';
import { credentialsIn } from '../secrets/secret-value.ts';
import { noteTo, type OutputMode, type Terminal } from './terminal/terminal.ts';

export interface ProgramOptions {
  readonly terminal: Terminal;
  readonly version: string;
  readonly words: readonly string[];
  /** Receives the exit code of the command that ran. */
  readonly done: (code: number) => void;
}

/** Builds the commander program from the table of commands. */
export async function buildProgram(options: ProgramOptions): Promise<Command> {
  await learnSecrets(options.terminal);
  const program = new Command('troupe')
    .description('Run teams of coding agents through workflows, on one durable journal.')
    .version(versionText(options), '-V, --version', 'print the version (also -v)')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => void options.terminal.stdout.write(text),
      writeErr: (text) => void options.terminal.stderr.write(text),
      // The caller prints errors, in one place and one shape.
      outputError: () => undefined,
    })
    .addHelpText('after', `\nTopics: ${Object.keys(HELP_TOPICS).join(', ')} (troupe help TOPIC)\n`);
  for (const spec of wantedCommands(options.words)) addCommand(program, spec, options);
  addHelp(program, options);
  await addCompletion(program, options);
  return program;
}

const versionText = ({ version, words }: ProgramOptions): string =>
  words.includes('--json') ? JSON.stringify({ kind: 'version', version }) : version;

/** Only the command that was named, if one was: building the others would only cost time. */
function wantedCommands([first]: readonly string[]): readonly CommandSpec[] {
  const named = COMMANDS.filter((spec) => spec.name === first);
  return named.length > 0 ? named : COMMANDS;
}

function addCommand(program: Command, spec: CommandSpec, options: ProgramOptions): void {
  const command = program
    .command(spec.name, { hidden: spec.isHidden === true })
    .description(spec.summary)
    .helpGroup(`${spec.group}:`);
  if (spec.arguments !== undefined) command.arguments(spec.arguments);
  for (const option of [...(spec.options ?? []), ...COMMON_OPTIONS]) command.addOption(optionOf(option));
  if (spec.examples !== undefined) command.addHelpText('after', `\nExamples:\n  ${spec.examples.join('\n  ')}\n`);
  command.action(async (...parsed: unknown[]) => {
    const action = await spec.load();
    const words = parsed.slice(0, -2) as (string | readonly string[] | undefined)[];
    const terminal = terminalFor(options.terminal, command.opts());
    options.done((await action({ words, options: command.opts(), terminal, version: options.version })) ?? 0);
  });
}

/** The address counts for processes that the command starts as well. */
function terminalFor(given: Terminal, options: Readonly<Record<string, unknown>>): Terminal {
  const { journal } = options;
  const environment =
    typeof journal === 'string' ? { ...given.environment, TROUPE_JOURNAL: journal } : given.environment;
  if (typeof journal === 'string')
    for (const credential of credentialsIn(journal)) given.secrets.add('journal', credential);
  const terminal = { ...given, environment, mode: modeOf(options) };
  return { ...terminal, note: noteTo(terminal) };
}

function modeOf({ json, quiet, verbose, interactive }: Readonly<Record<string, unknown>>): OutputMode {
  if (quiet === true && verbose === true)
    throw new Fault('USAGE', '--quiet and --verbose contradict each other.', { hint: 'Give one of them.' });
  return {
    json: json === true,
    quiet: quiet === true,
    verbose: verbose === true,
    interactive: interactive !== false,
  };
}

function optionOf(spec: OptionSpec): Option {
  const option =
    spec.flags === '--no-input' ? new NoInput(spec.flags, spec.description) : new Option(spec.flags, spec.description);
  if (spec.choices !== undefined) option.choices(spec.choices);
  if (spec.kind === 'number') option.argParser((text: string) => numberIn(text, option));
  if (spec.kind === 'list')
    option.argParser((value: string, all: readonly string[] | undefined) => [...(all ?? []), value]);
  return option;
}

/** `run` also has `--input key=value`; commander would put both under one name. */
class NoInput extends Option {
  override attributeName(): string {
    return 'interactive';
  }
}

/** Which numbers will do is known where the option is used. */
function numberIn(text: string, { long, flags }: Option): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  const kind = flags.includes('<count>') ? 'a whole number' : 'a number';
  throw new Fault('USAGE', `${long} must be ${kind}; it is "${text}".`);
}

function addHelp(program: Command, { terminal, done }: ProgramOptions): void {
  const help = program
    .command('help')
    .argument('[topic]', 'a command or a topic')
    .description('explain a command or a topic')
    .helpGroup('More:')
    .action((topic: string | undefined) => {
      const text = topic === undefined ? program.helpInformation() : (HELP_TOPICS[topic] ?? helpOn(program, topic));
      const isJson = modeOf(help.opts()).json;
      terminal.stdout.write(isJson ? `${JSON.stringify({ kind: 'help', topic: topic ?? null, text })}\n` : text);
      done(0);
    });
  for (const option of COMMON_OPTIONS) help.addOption(optionOf(option));
}

function helpOn(program: Command, name: string): string {
  const command = program.commands.find((candidate) => candidate.name() === name);
  if (command !== undefined) return command.helpInformation();
  const known = [...Object.keys(HELP_TOPICS), ...program.commands.map((candidate) => candidate.name())];
  return program.error(`error: there is no command or topic '${name}'; there are: ${known.join(', ')}`);
}

/** The completion library is loaded only for completion. */
async function addCompletion(program: Command, { terminal, words, done }: ProgramOptions): Promise<void> {
  if (words[0] === 'complete') {
    const { addShellCompletion } = await import('./shell-completion.ts');
    return await addShellCompletion(program, terminal);
  }
  const completion = program
    .command('completion')
    .addArgument(program.createArgument('<shell>').choices(['bash', 'zsh', 'fish', 'powershell']))
    .description('print a completion script: bash, zsh, fish, powershell')
    .helpGroup('More:')
    .action(async (shell: string) => {
      const { completionScript } = await import('./shell-completion.ts');
      const script = completionScript(shell);
      const isJson = modeOf(completion.opts()).json;
      terminal.stdout.write(isJson ? `${JSON.stringify({ kind: 'completion', shell, script })}\n` : script);
      done(0);
    });
  for (const option of COMMON_OPTIONS) completion.addOption(optionOf(option));
}
