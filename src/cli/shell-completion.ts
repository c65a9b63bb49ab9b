import tab from '@bomb.sh/tab/commander';
import type { Argument, Complete } from '@bomb.sh/tab';
import type { Command } from 'commander';
import type { Terminal } from './terminal/terminal.ts';

/** Completion scripts for four shells, and the values they ask for while somebody types. */
export async function addShellCompletion(program: Command, terminal: Terminal): Promise<void> {
  const completion = tab(program, { completionCommandName: 'completion' });
  const values = await completionValues(terminal);
  for (const [name, command] of completion.commands) {
    for (const [argument, spec] of command.arguments) offer(spec, values, { command: name, argument });
  }
}

interface Value {
  readonly value: string;
  readonly description: string;
}

interface CompletionValues {
  readonly runs: readonly Value[];
  readonly workflows: readonly Value[];
}

function offer(
  spec: Argument,
  values: CompletionValues,
  at: { readonly command: string; readonly argument: string },
): void {
  const list = offeredAt(values, at);
  if (list.length === 0) return;
  spec.handler = (complete: Complete) => {
    for (const { value, description } of list) complete(value, description);
  };
}

function offeredAt(
  { runs, workflows }: CompletionValues,
  { command, argument }: { readonly command: string; readonly argument: string },
): readonly Value[] {
  if (argument === 'run') return runs;
  if (argument === 'workflow') return workflows;
  if (command !== 'quest') return [];
  return argument === 'action' ? QUEST_ACTIONS : runs;
}

const QUEST_ACTIONS: readonly Value[] = [
  { value: 'new', description: 'begin a quest' },
  { value: 'show', description: 'all of it, as in quest.md' },
  { value: 'steps', description: 'its steps as a table' },
  { value: 'answer', description: 'answer what it asks' },
];

/** Completion must never fail or complain: what cannot be read offers nothing. */
async function completionValues(terminal: Terminal): Promise<CompletionValues> {
  const { knownRuns, knownWorkflows } = await import('./session/completion-values.ts');
  const [runs, workflows] = await Promise.allSettled([knownRuns(terminal), knownWorkflows(terminal)]);
  return {
    runs: runs.status === 'fulfilled' ? runs.value : [],
    workflows: workflows.status === 'fulfilled' ? workflows.value : [],
  };
}
