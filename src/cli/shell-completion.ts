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
  /** Types of agents and roles. */
  readonly prompts: readonly Value[];
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
  { runs, workflows, prompts }: CompletionValues,
  { command, argument }: { readonly command: string; readonly argument: string },
): readonly Value[] {
  if (argument === 'run') return runs;
  if (argument === 'workflow') return workflows;
  if (command === 'prompt') return argument === 'action' ? PROMPT_ACTIONS : prompts;
  if (command !== 'quest') return [];
  return argument === 'action' ? QUEST_ACTIONS : runs;
}

const PROMPT_ACTIONS: readonly Value[] = [
  { value: 'show', description: 'what an agent reads, and where each line comes from' },
  { value: 'list', description: 'the types of agents and the roles' },
  { value: 'trace', description: 'every request of a run as it left' },
];

const QUEST_ACTIONS: readonly Value[] = [
  { value: 'new', description: 'begin a quest' },
  { value: 'show', description: 'all of it, as in quest.md' },
  { value: 'steps', description: 'its steps as a table' },
  { value: 'answer', description: 'answer what it asks' },
];

/** Completion must never fail or complain: what cannot be read offers nothing. */
async function completionValues(terminal: Terminal): Promise<CompletionValues> {
  const { knownPrompts, knownRuns, knownWorkflows } = await import('./session/completion-values.ts');
  const asked = [knownRuns(terminal), knownWorkflows(terminal), knownPrompts(terminal)];
  const [runs = [], workflows = [], prompts = []] = (await Promise.allSettled(asked)).map((one) =>
    one.status === 'fulfilled' ? one.value : [],
  );
  return { runs, workflows, prompts };
}
