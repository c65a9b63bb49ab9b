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
  const list = at.argument === 'run' ? values.runs : at.argument === 'workflow' ? values.workflows : null;
  if (list === null) return;
  spec.handler = (complete: Complete) => {
    for (const { value, description } of list) complete(value, description);
  };
}

/** Completion must never fail or complain: what cannot be read offers nothing. */
async function completionValues(terminal: Terminal): Promise<CompletionValues> {
  const { knownRuns, knownWorkflows } = await import('./session/completion-values.ts');
  const [runs, workflows] = await Promise.allSettled([knownRuns(terminal), knownWorkflows(terminal)]);
  return {
    runs: runs.status === 'fulfilled' ? runs.value : [],
    workflows: workflows.status === 'fulfilled' ? workflows.value : [],
  };
}
