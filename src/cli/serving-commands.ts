import type { AccessRole } from '../protocol/operations/access.ts';
import type { CommandSpec } from './invocation.ts';
import { RUNS } from './looking-commands.ts';
import { INPUT, WISHES } from './start-options.ts';

export const MORE = 'More';

export const SERVE_COMMAND: CommandSpec = {
  name: 'serve',
  summary: 'open the web page: see and steer every run, until Ctrl-C',
  group: RUNS,
  options: [
    {
      flags: '--port <number>',
      description: 'on this port; a free one is found where it is left out',
      kind: 'number',
    },
    { flags: '--no-open', description: 'only print the address' },
    {
      flags: '--listen <address>',
      description: 'for a team: on an address that other machines reach, for named tokens only (troupe token)',
    },
    { flags: '--tls-cert <file>', description: 'with --listen: the certificate, as PEM' },
    { flags: '--tls-key <file>', description: 'with --listen: its key, as PEM' },
    { flags: '--behind-tls', description: 'with --listen: a proxy in front speaks TLS' },
    {
      flags: '--public-name <name>',
      description: 'with --listen: a name that people reach it by, as in troupe.example.com',
      kind: 'list',
    },
  ],
  examples: [
    'troupe serve',
    'troupe serve --port 4321 --no-open',
    'troupe serve --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem --public-name troupe.example.com',
    'troupe serve --listen 127.0.0.1:8080 --behind-tls --public-name troupe.example.com',
  ],
  load: async () => (await import('./commands/serve.ts')).serveCommand,
};

export const TOKEN_COMMAND: CommandSpec = {
  name: 'token',
  arguments: '<action> [name]',
  summary: "tokens of a team's server (serve --listen): new NAME --role ROLE, list, revoke NAME",
  group: MORE,
  options: [
    {
      flags: '--role <role>',
      description: 'new: viewer looks, operator also starts and steers, admin may do everything',
      choices: ['viewer', 'operator', 'admin'] satisfies readonly AccessRole[],
    },
    { flags: '--expires <age>', description: 'new: after this time, such as 30d' },
    {
      flags: '--per-minute <count>',
      description: 'new: requests in a minute; 600 unless it is given',
      kind: 'number',
    },
    { flags: '--streams <count>', description: 'new: streams open at once; 16 unless it is given', kind: 'number' },
  ],
  examples: ['troupe token new anna --role operator --expires 90d', 'troupe token list', 'troupe token revoke anna'],
  load: async () => (await import('./commands/token.ts')).tokenCommand,
};

export const WORKER_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'worker',
    summary: 'drive runs of a journal that several machines share, until Ctrl-C',
    group: RUNS,
    options: [
      {
        flags: '--slots <count>',
        description: 'how many runs it works on at once (default: 4)',
        kind: 'number',
      },
      {
        flags: '--labels <labels>',
        description: 'labels that it offers to runs, such as gpu,linux',
        kind: 'list',
      },
      {
        flags: '--drain <worker>',
        description: 'start none: ask that worker, on whichever machine, to hand its runs over and to end',
      },
    ],
    examples: [
      'troupe worker --journal postgres://troupe@db.example.org/troupe',
      'troupe worker --slots 8 --labels gpu',
      'troupe worker --drain mill/4711',
    ],
    load: async () => (await import('./commands/worker.ts')).workerCommand,
  },
  {
    name: 'workers',
    summary: 'list the workers of a shared journal: which are alive, and how many runs they drive',
    group: RUNS,
    examples: ['troupe workers', 'troupe workers --json'],
    load: async () => (await import('./commands/workers.ts')).workersCommand,
  },
];

export const SCHEDULE_COMMAND: CommandSpec = {
  name: 'schedule',
  arguments: '<action> [name] [workflow] [input]',
  summary:
    'runs of a shared journal that begin at set times: add NAME --cron TIMES WORKFLOW [INPUT], list, remove NAME',
  group: RUNS,
  options: [
    {
      flags: '--cron <times>',
      description:
        "add: minute, hour, day of month, month, weekday, such as '0 7 * * 1'; six fields begin with the second",
    },
    { flags: '--time-zone <zone>', description: 'add: such as Europe/Berlin (default: that of this machine)' },
    ...INPUT,
    ...WISHES,
  ],
  examples: [
    `troupe schedule add nightly --cron '0 3 * * *' coder_reviewer "Update the changelog" --max-usd 2`,
    'troupe schedule list',
    'troupe schedule remove nightly',
  ],
  actions: [
    { value: 'add', description: 'begin a workflow at these times' },
    { value: 'list', description: 'when they fire, and what became of it' },
    { value: 'remove', description: 'fire no more' },
  ],
  load: async () => (await import('./commands/schedule.ts')).scheduleCommand,
};
