import type { NamedPart, PlaceOf } from '../../core/reserved-names.ts';
import type { SourcePath } from '../source/source-path.ts';
import type { LoweringScope } from './lower-workflow.ts';
import type { WorkflowParts } from './workflow-parts.ts';

/** Where a name of the model stands in the author's file. */
export function namePlaces(parts: WorkflowParts, { report, base }: Pick<LoweringScope, 'report' | 'base'>): PlaceOf {
  return (part, name) => {
    const path = [...base, ...PATHS[part](parts, name)];
    return report.origin.locate(path, part === 'data' ? 'key' : 'value');
  };
}

const PATHS: Readonly<Record<NamedPart, (parts: WorkflowParts, name: string) => SourcePath>> = {
  inputs: ({ header: { inputs } }, name) =>
    inputs === undefined ? ['input', 'name'] : ['inputs', inputs.findIndex((one) => one.name === name), 'name'],
  output: () => ['output', 'name'],
  data: (_, name) => ['variables', name],
  contexts: ({ contexts }, name) => ['contexts', contexts.findIndex((one) => one?.name === name), 'name'],
  agents: ({ agents }, name) => ['agents', agents.findIndex((one) => one?.agent_role === name), 'agent_role'],
  states: ({ states }, name) => ['states', (states ?? []).findIndex((one) => one?.name === name), 'name'],
};
