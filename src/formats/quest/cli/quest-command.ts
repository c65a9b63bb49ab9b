import type { CommandSpec } from '../../../cli/invocation.ts';

export const QUEST_COMMAND = {
  name: 'quest',
  arguments: '<action> [words...]',
  summary: 'a quest: new "…", show [RUN], steps [RUN], answer [RUN] [QUESTION] TEXT',
  options: [{ flags: '--input <key=value>', description: 'new: one field of the input', kind: 'list' }],
  examples: [
    'troupe quest new "Let the export write CSV too"',
    'troupe quest steps',
    'troupe quest answer "the semicolon"',
  ],
  actions: [
    { value: 'new', description: 'begin a quest' },
    { value: 'show', description: 'all of it, as in quest.md' },
    { value: 'steps', description: 'its steps as a table' },
    { value: 'answer', description: 'answer what it asks' },
  ],
  load: async () => (await import('./quest.ts')).questCommand,
} as const satisfies Omit<CommandSpec, 'group'>;
