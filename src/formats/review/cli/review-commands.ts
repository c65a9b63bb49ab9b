import type { CommandSpec } from '../../../cli/invocation.ts';

export const REVIEW_COMMANDS: readonly Omit<CommandSpec, 'group'>[] = [
  {
    name: 'debate',
    arguments: '<run>',
    summary: 'what reviewers found, who says what about it, what it came to and what it cost',
    options: [{ flags: '--follow', description: 'print what is new while the run is alive, then all of it' }],
    examples: ['troupe debate last', 'troupe debate last --follow', 'troupe debate last --json'],
    load: async () => (await import('./debate.ts')).debateCommand,
  },
  {
    name: 'compare',
    arguments: '<run>',
    summary: 'the implementations of a review side by side: evidence, size, findings, rank, cost',
    options: [
      { flags: '--diff <names...>', description: 'what is different between two of them, as a patch', kind: 'list' },
    ],
    examples: ['troupe compare last', 'troupe compare last --diff impl_1 impl_2'],
    load: async () => (await import('./compare.ts')).compareCommand,
  },
];
