import { FAMILY_STARTS } from '../formats/registry/cli.ts';
import { BY, CHANGES_COMMANDS, NO_SETUP, SANDBOX } from './changes-commands.ts';
import type { CommandSpec, OptionSpec } from './invocation.ts';
import { LOOKING_COMMANDS, RUNS } from './looking-commands.ts';
import { MORE, SCHEDULE_COMMAND, SERVE_COMMAND, TOKEN_COMMAND, WORKER_COMMANDS } from './serving-commands.ts';
import { ACTOR, DRIVING, HAND_OVER, INPUT, LIMITS, WISHES } from './start-options.ts';

const START = 'Begin';
const FILES = 'Workflow files';

const DETACH: OptionSpec = { flags: '--detach', description: 'run in the background and print the run id' };

const ALLOW_APPROVALS: OptionSpec = {
  flags: '--allow-approvals',
  description: 'over MCP: choices and permissions may be answered too, not only free text',
};

/** The options of an answer besides its question. */
const ANSWERING: readonly OptionSpec[] = [
  { flags: '--files <mark>', description: 'answer only if the question is still asked for these files' },
];

const WEB: OptionSpec = { flags: '--web', description: 'also open the web page' };

/** The options of all commands that start a run. */
const STARTING: readonly OptionSpec[] = [...WISHES, DETACH, WEB];

/** Every command, in the order of the help. One file each in `commands/`. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'write a configuration, a workflow and roles to start from',
    group: START,
    examples: ['troupe init'],
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  {
    name: 'run',
    arguments: '<workflow> [input]',
    summary: 'run a workflow, by name or from a file',
    group: START,
    options: [...INPUT, ...STARTING],
    examples: [
      'troupe run coder_reviewer "Add a health check"',
      'troupe run coder_reviewer "Add a health check" --apply --verify "npm test"',
      'troupe run flows.yaml#nightly --input branch=main --json',
    ],
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  {
    name: 'start',
    arguments: '<workflow> [goal]',
    summary: 'start a stage workflow: research, development, architecture, or your own',
    group: START,
    options: [{ flags: '--input-file <file>', description: 'the goal, as a file' }, ...STARTING],
    examples: [
      'troupe start research "Which queues keep their order?"',
      'troupe start development "Let the export write CSV too" --apply',
      'troupe start ./my-stages.ts "Do it my way"',
    ],
    load: async () => (await import('./commands/start.ts')).startCommand,
  },
  ...FAMILY_STARTS.map((spec) => ({ ...spec, group: START, options: [...(spec.options ?? []), ...STARTING] })),
  {
    name: 'chat',
    summary: 'talk with one agent; /help inside lists its commands',
    group: START,
    options: [
      { flags: '--role <role>', description: 'who to talk to first' },
      { flags: '--resume [run]', description: 'continue an earlier chat' },
      { flags: '--list', description: 'list earlier chats' },
      { flags: '--model <level=name>', description: 'use another configured model for a level', kind: 'list' },
      NO_SETUP,
      SANDBOX,
    ],
    load: async () => (await import('./commands/chat.ts')).chatCommand,
  },
  ...LOOKING_COMMANDS,
  SERVE_COMMAND,
  ...WORKER_COMMANDS,
  SCHEDULE_COMMAND,
  {
    name: 'answer',
    arguments: '<run> <words...>',
    summary: 'answer what a run asks: RUN [QUESTION] TEXT',
    group: RUNS,
    options: [...ANSWERING, ...DRIVING, ...HAND_OVER, SANDBOX, DETACH, WEB],
    examples: ['troupe answer last "yes, continue"', 'troupe answer 7k2m q2 blue'],
    load: async () => (await import('./commands/answer.ts')).answerCommand,
  },
  {
    name: 'tell',
    arguments: '<run> <agent> <words...>',
    summary: 'say something to an agent of a run',
    group: RUNS,
    options: [BY],
    examples: [
      'troupe tell last coder "Use the existing helper instead"',
      'troupe tell 7k2m t3/reviewer "Look at the tests too"',
    ],
    load: async () => (await import('./commands/verbs.ts')).tellCommand,
  },
  {
    name: 'resume',
    arguments: '<run>',
    summary: 'resume a run after a crash, a limit or an interrupt',
    group: RUNS,
    options: [
      ...LIMITS,
      {
        flags: '--definition <which>',
        description: 'when its files have changed: as it began, or as they are now',
        choices: ['started', 'new'],
      },
      ...DRIVING,
      ...HAND_OVER,
      SANDBOX,
      DETACH,
      WEB,
    ],
    load: async () => (await import('./commands/resume.ts')).resumeCommand,
  },
  {
    name: 'pause',
    arguments: '<run>',
    summary: 'pause a run until it is resumed',
    group: RUNS,
    options: [{ flags: '--reason <text>', description: 'why, for the journal' }, BY],
    load: async () => (await import('./commands/verbs.ts')).pauseCommand,
  },
  {
    name: 'cancel',
    arguments: '<run>',
    summary: 'end a run for good',
    group: RUNS,
    options: [{ flags: '--reason <text>', description: 'why, for the journal' }, BY],
    load: async () => (await import('./commands/verbs.ts')).cancelCommand,
  },
  {
    name: 'fork',
    arguments: '<run>',
    summary: 'begin a new run as another one was at a step',
    group: RUNS,
    options: [
      { flags: '--at <step>', description: 'a record, a state, state#2 for its second visit, or start' },
      { flags: '--input <key=value>', description: 'another value for one field of the input', kind: 'list' },
      { flags: '--title <text>', description: 'its title in lists' },
      { flags: '--tell <agent=text>', description: 'the first message that an agent of it gets', kind: 'list' },
      ACTOR,
      ...DRIVING,
      ...HAND_OVER,
      SANDBOX,
      DETACH,
      WEB,
      { flags: '--no-run', description: 'only make it; resume it later' },
    ],
    examples: ['troupe fork last --at review', 'troupe fork 7k2m --at coder#2 --model base=smart'],
    load: async () => (await import('./commands/fork.ts')).forkCommand,
  },
  ...CHANGES_COMMANDS,
  {
    name: 'workflows',
    summary: 'list the workflows of the project and the shipped ones',
    group: FILES,
    load: async () => (await import('./commands/workflows.ts')).workflowsCommand,
  },
  {
    name: 'check',
    arguments: '<file...>',
    summary: 'check workflow files: every problem with its line',
    group: FILES,
    load: async () => (await import('./commands/check.ts')).checkCommand,
  },
  {
    name: 'watch-files',
    arguments: '[path...]',
    summary: 'check the files of the project whenever they change, until Ctrl-C',
    group: FILES,
    examples: ['troupe watch-files', 'troupe watch-files flow.yaml .troupe/roles'],
    load: async () => (await import('./commands/watch-files.ts')).watchFilesCommand,
  },
  {
    name: 'graph',
    arguments: '<file>',
    summary: 'draw a workflow',
    group: FILES,
    options: [
      { flags: '--format <format>', description: 'what to print', choices: ['mermaid', 'svg', 'xstate', 'json'] },
    ],
    load: async () => (await import('./commands/graph.ts')).graphCommand,
  },
  {
    name: 'prompt',
    arguments: '<action> [name]',
    summary:
      'the prompts of agents: show NAME (a type of agent or a role), list, trace RUN (every request as it was sent)',
    group: FILES,
    options: [
      { flags: '--mode <mode>', description: 'show: as the type works in another mode, such as FIX' },
      { flags: '--agent <name>', description: 'trace: only the requests of this agent' },
      { flags: '--call <n>', description: 'trace: this request in full, by its place in the list', kind: 'number' },
      { flags: '--diff <n,m>', description: 'trace: what two requests share, and where they differ' },
      { flags: '--raw', description: 'trace: the JSON body of the request' },
    ],
    examples: [
      'troupe prompt show planning',
      'troupe prompt show execution --mode FIX',
      'troupe prompt list',
      'troupe prompt trace last --agent coder --call 2',
    ],
    actions: [
      { value: 'show', description: 'what an agent reads, and where each line comes from' },
      { value: 'list', description: 'the types of agents and the roles' },
      { value: 'trace', description: 'every request of a run as it left' },
    ],
    load: async () => (await import('./commands/prompt.ts')).promptCommand,
  },
  {
    name: 'schema',
    arguments: '[name]',
    summary: 'print a JSON Schema for editors',
    group: FILES,
    load: async () => (await import('./commands/schema.ts')).schemaCommand,
  },
  {
    name: 'mcp',
    arguments: '[folder]',
    summary: 'let other agents run workflows: an MCP server on standard input and output',
    group: MORE,
    options: [ALLOW_APPROVALS],
    examples: ['claude mcp add troupe -- troupe mcp', 'codex mcp add troupe -- troupe mcp ~/project'],
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  TOKEN_COMMAND,
  {
    name: 'script-model',
    summary: 'serve a scripted model on this machine, for tests and demos',
    group: MORE,
    options: [
      { flags: '--port <number>', description: '0 takes a free one', kind: 'number' },
      { flags: '--scenario <file>', description: 'what it answers' },
    ],
    load: async () => (await import('./commands/script-model.ts')).scriptModelCommand,
  },
  {
    name: 'doctor',
    summary: 'check this machine, the configuration and the journal',
    group: MORE,
    options: [
      {
        flags: '--repair',
        description: 'check the journal only; write a damaged journal.head again, and keep the old one',
      },
      { flags: '--yes', description: 'repair: do not ask' },
    ],
    examples: ['troupe doctor', 'troupe doctor --repair'],
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'trust',
    arguments: '[folder]',
    summary: "allow a project's own code to run and its settings to act (commands, keys, addresses)",
    group: MORE,
    options: [
      { flags: '--yes', description: 'do not ask' },
      { flags: '--revoke', description: 'take it back' },
    ],
    load: async () => (await import('./commands/trust.ts')).trustCommand,
  },
];
