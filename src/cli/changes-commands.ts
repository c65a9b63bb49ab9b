import type { CommandSpec, OptionSpec } from './invocation.ts';

/** Written out, since importing the list would load the engine for every `--help`. */
export const NO_SETUP: OptionSpec = {
  flags: '--no-setup',
  description: 'make new workspaces without the setup command',
};

export const SANDBOX: OptionSpec = {
  flags: '--sandbox <level>',
  description: 'the sandbox for commands',
  choices: ['bubblewrap', 'landlock', 'none', 'best'],
};

export const ALLOW_STEERING: OptionSpec = {
  flags: '--allow-steering',
  description: 'with --apply: also files that steer your programs, such as .npmrc',
};

export const VERIFY: OptionSpec = {
  flags: '--verify <command>',
  description: 'a command that the merged files must pass before anything is changed',
};

/** For a program that acts for somebody. */
export const BY: OptionSpec = { flags: '--by <name>', description: 'who does it, for the journal' };

const ONE_WORKSPACE: readonly OptionSpec[] = [
  { flags: '--agent <name>', description: 'the workspace of this agent' },
  { flags: '--workspace <name>', description: 'this workspace' },
];

const CHANGES = 'What runs changed';

/** The commands about what runs did to files. */
export const CHANGES_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'diff',
    arguments: '<run>',
    summary: 'show what a run changed, as a patch',
    group: CHANGES,
    options: [
      ...ONE_WORKSPACE,
      { flags: '--from <step>', description: 'since this step' },
      { flags: '--to <step>', description: 'until this step' },
      { flags: '--project', description: 'against the files of the project as they are now' },
      { flags: '--against <ref>', description: 'against a branch, tag or commit of the project' },
      { flags: '--branches', description: 'only list the branches that --against can name' },
      { flags: '--disk', description: 'until the present content of the folder, even where the journal differs' },
      { flags: '--stat', description: 'only which files, and how many lines' },
    ],
    examples: [
      'troupe diff last --stat',
      'troupe diff last --from review | git apply',
      'troupe diff last --against main',
    ],
    load: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  {
    name: 'deliver',
    arguments: '<run>',
    summary: 'bring what a run changed to you: a branch, a patch, or into your files',
    group: CHANGES,
    options: [
      ...ONE_WORKSPACE,
      { flags: '--branch <name>', description: 'as a branch (troupe/RUN unless named)' },
      { flags: '--patch <file>', description: 'as a patch file' },
      { flags: '--apply', description: 'into the files of the project' },
      { flags: '--push <remote>', description: 'the branch also to this remote of your clone' },
      { flags: '--ours <path>', description: 'in a conflict my version of this counts (. for all)', kind: 'list' },
      { flags: '--theirs <path>', description: "in a conflict the run's version counts", kind: 'list' },
      BY,
      VERIFY,
      {
        flags: '--unverified',
        description: 'also files that failed their last check; they are marked as not verified',
      },
      { flags: '--with-conflicts', description: 'also files with open conflicts, as a branch or a patch' },
      ALLOW_STEERING,
      NO_SETUP,
      SANDBOX,
    ],
    examples: ['troupe deliver last', 'troupe deliver last --apply --verify "npm test"'],
    load: async () => (await import('./commands/deliver.ts')).deliverCommand,
  },
  {
    name: 'discard',
    arguments: '<run>',
    summary: 'record that the result of a run is not wanted, and remove its branch or patch',
    group: CHANGES,
    options: [{ flags: '--undo', description: 'undo a discard' }, { flags: '--yes', description: 'do not ask' }, BY],
    load: async () => (await import('./commands/verbs.ts')).discardCommand,
  },
  {
    name: 'archive',
    arguments: '<run>',
    summary: 'hide a run that is over from lists and the board',
    group: CHANGES,
    options: [{ flags: '--undo', description: 'show it there again' }, BY],
    load: async () => (await import('./commands/verbs.ts')).archiveCommand,
  },
  {
    name: 'rollback',
    arguments: '<run>',
    summary: 'put files and run back to what they were at a step',
    group: CHANGES,
    options: [
      { flags: '--to <step>', description: 'a record, a state, state#2 for its second visit (start)' },
      { flags: '--files', description: 'only the files' },
      { flags: '--conversation', description: 'only the run and its conversations' },
      { flags: '--dry-run', description: 'only say what would go back' },
      { flags: '--yes', description: 'do not ask' },
      BY,
    ],
    examples: ['troupe rollback last', 'troupe rollback 7k2m --to review --files --yes'],
    load: async () => (await import('./commands/rollback.ts')).rollbackCommand,
  },
  {
    name: 'prune',
    summary: 'remove workspaces and snapshots of old runs; their journals stay',
    group: CHANGES,
    options: [
      { flags: '--older-than <age>', description: 'settled at least so long ago (30d)' },
      { flags: '--keep <count>', description: 'the newest runs of each project keep theirs (20)', kind: 'number' },
      { flags: '--dry-run', description: 'only say what would go' },
    ],
    load: async () => (await import('./commands/prune.ts')).pruneCommand,
  },
  {
    name: 'look',
    summary: 'print one view that standard input asks for; for Troupe itself',
    group: 'More',
    isHidden: true,
    load: async () => (await import('./commands/look.ts')).lookCommand,
  },
  {
    name: 'drive',
    summary: 'carry out one request from standard input; for Troupe itself',
    group: 'More',
    isHidden: true,
    load: async () => (await import('./commands/drive.ts')).driveCommand,
  },
];
