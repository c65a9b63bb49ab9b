import { openProject } from '../../app/config/project.ts';
import { listPrompts } from '../../app/library/listed-prompts.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import type { Caller } from '../../app/caller.ts';
import { withStore } from '../../app/world/store.ts';
import { loadLibrary } from '../../app/library/workflow-library.ts';

export interface CompletionValue {
  readonly value: string;
  readonly description: string;
}

const MOST = 50;

export async function knownRuns(caller: Caller): Promise<readonly CompletionValue[]> {
  const runs = await withStore(caller, ({ journal }) => journal.runs({ parent: null, limit: MOST }));
  const last = { value: 'last', description: 'the newest run' };
  return [
    last,
    ...runs.map((info) => ({ value: info.run, description: oneLine(`${info.workflow} ${info.title}`, 60) })),
  ];
}

export async function knownWorkflows(caller: Caller): Promise<readonly CompletionValue[]> {
  const library = await loadLibrary({ project: await openProject(caller), caller });
  return [...library.own, ...library.shipped].map((workflow) => ({
    value: workflow.name,
    description: oneLine(workflow.description, 60),
  }));
}

export async function knownPrompts(caller: Caller): Promise<readonly CompletionValue[]> {
  const { prompts } = await listPrompts({ project: await openProject(caller), caller });
  return prompts.map(({ name, description }) => ({ value: name, description: oneLine(description, 60) }));
}
