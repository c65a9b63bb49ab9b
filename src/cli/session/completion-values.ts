import { openProject } from '../../app/config/project.ts';
import { listPrompts } from '../prompts/listed-prompts.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { withStore } from './store.ts';
import { loadLibrary } from './workflow-library.ts';

export interface CompletionValue {
  readonly value: string;
  readonly description: string;
}

const MOST = 50;

export async function knownRuns(terminal: Terminal): Promise<readonly CompletionValue[]> {
  const runs = await withStore(terminal, ({ journal }) => journal.runs({ parent: null, limit: MOST }));
  const last = { value: 'last', description: 'the newest run' };
  return [
    last,
    ...runs.map((info) => ({ value: info.run, description: oneLine(`${info.workflow} ${info.title}`, 60) })),
  ];
}

export async function knownWorkflows(terminal: Terminal): Promise<readonly CompletionValue[]> {
  const library = await loadLibrary({ project: await openProject(terminal), terminal });
  return [...library.own, ...library.shipped].map((workflow) => ({
    value: workflow.name,
    description: oneLine(workflow.description, 60),
  }));
}

export async function knownPrompts(terminal: Terminal): Promise<readonly CompletionValue[]> {
  const { prompts } = await listPrompts({ project: await openProject(terminal), terminal });
  return prompts.map(({ name, description }) => ({ value: name, description: oneLine(description, 60) }));
}
