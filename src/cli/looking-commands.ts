import { FAMILY_LOOKS } from '../formats/registry/cli.ts';
import type { Outcome } from '../core/model/outcome.ts';
import type { CommandSpec } from './invocation.ts';

export const RUNS = 'Runs';

/** Written out, since importing the list would load the engine for every `--help`. */
const OUTCOMES: Readonly<Record<Outcome, null>> = {
  ok: null,
  partial: null,
  failed: null,
  timeout: null,
  crashed: null,
  skipped: null,
  blocked: null,
  cancelled: null,
  quota: null,
};

/** As `list` shows them: a run without a process is stopped, a settled one has its outcome. */
const STATUSES: readonly string[] = [
  'running',
  'queued',
  'stopped',
  'waiting',
  'paused',
  'settled',
  ...Object.keys(OUTCOMES),
];

/** The commands that look at runs and change nothing. */
export const LOOKING_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'list',
    summary: 'list runs, newest first',
    group: RUNS,
    options: [
      { flags: '--limit <count>', description: 'at most this many (20)', kind: 'number' },
      { flags: '--after <run>', description: 'only runs that began before this one: the next page' },
      { flags: '--status <status>', description: 'only these', choices: STATUSES },
      { flags: '--all', description: 'of all projects, not only of this one' },
      { flags: '--archived', description: 'those that were archived as well' },
    ],
    load: async () => (await import('./commands/list.ts')).listCommand,
  },
  {
    name: 'show',
    arguments: '<run>',
    summary: 'show where a run stands',
    group: RUNS,
    load: async () => (await import('./commands/show.ts')).showCommand,
  },
  {
    name: 'watch',
    arguments: '<run>',
    summary: 'follow a run until it settles or waits',
    group: RUNS,
    load: async () => (await import('./commands/watch.ts')).watchCommand,
  },
  {
    name: 'logs',
    arguments: '<run>',
    summary: 'print what the agents said and did',
    group: RUNS,
    options: [
      { flags: '--agent <name>', description: 'only this agent' },
      { flags: '--follow', description: 'go on while the run is alive' },
      { flags: '--json-lines', description: 'what happened, a JSON object a line, as in the log files of the run' },
      { flags: '--raw', description: 'what agents that are programs said, word for word' },
      { flags: '--task <task>', description: 'with --raw: only this turn, such as t3 or t2/t1' },
    ],
    load: async () => (await import('./commands/logs.ts')).logsCommand,
  },
  {
    name: 'artifacts',
    arguments: '<run> [id]',
    summary: 'what the agents of a run made; the content of one as it was recorded',
    group: RUNS,
    options: [{ flags: '--why', description: 'where it comes from: who made it, from what, in which calls' }],
    examples: ['troupe artifacts last', 'troupe artifacts last specs/plan.md', 'troupe artifacts last plan.md#1 --why'],
    load: async () => (await import('./commands/artifacts.ts')).artifactsCommand,
  },
  {
    name: 'messages',
    arguments: '<run>',
    summary: 'what agents handed over to each other and said on the bus',
    group: RUNS,
    options: [{ flags: '--follow', description: 'go on while the run is alive' }],
    load: async () => (await import('./commands/messages.ts')).messagesCommand,
  },
  {
    name: 'metrics',
    arguments: '[run]',
    summary: 'how long, how often, how well and for how much: of a run, or of all of them',
    group: RUNS,
    options: [
      { flags: '--since <age>', description: 'only runs that began so long ago at most, such as 7d or 12h' },
      { flags: '--all', description: 'of all projects, not only of this one' },
      { flags: '--prometheus', description: 'in the text format of Prometheus' },
    ],
    examples: ['troupe metrics last', 'troupe metrics --since 7d', 'troupe metrics --all --prometheus'],
    load: async () => (await import('./commands/metrics.ts')).metricsCommand,
  },
  ...FAMILY_LOOKS.map((spec) => ({ ...spec, group: RUNS })),
];
