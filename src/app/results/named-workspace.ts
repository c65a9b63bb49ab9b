import { Fault } from '../../core/model/fault.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { bodyHash, type RunId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import { workspaceOf } from '../../core/model/workspace-name.ts';
import { nameHint } from '../../source/closest-name.ts';
import type { Journal } from '../../journal/port.ts';
import type { RunFiles } from '../../host/deliver/find-files.ts';
import { runsBelow } from '../runs/tree-reader.ts';

/** How a person names a workspace: one of the two, or neither. */
export interface WorkspaceName {
  readonly agent?: string;
  readonly workspace?: string;
}

/** The workspace a person means: by its name, by the agent that works there, or the one that the run's agents share. */
export async function namedWorkspace(
  { agent, workspace: named }: WorkspaceName,
  journal: Journal,
  { run, files }: { readonly run: RunId; readonly files: RunFiles },
): Promise<string> {
  if (agent !== undefined && named !== undefined) {
    throw new Fault('USAGE', 'Name an agent or a workspace, not both.', { hint: 'Leave one of the two out.' });
  }
  if (named !== undefined) return knownWorkspace(named, files);
  if (agent !== undefined) return await workspaceOfAgent(journal, run, agent);
  return foldRecords(await journal.read(run)).workspace;
}

function knownWorkspace(name: string, { root, workspaces }: RunFiles): string {
  if (workspaces.has(name)) return name;
  const names = [...workspaces.keys()];
  throw new Fault('WORKSPACE_UNKNOWN', `Run ${root} has no workspace "${name}".`, {
    hint: nameHint(name, names) ?? 'None was made: no agent of it has used a tool yet.',
    facts: { workspaces: names },
  });
}

/** The run's own agent, else that of a run below it; several of those may have one of the same name. */
async function workspaceOfAgent(journal: Journal, run: RunId, agent: string): Promise<string> {
  const found = new Set<string>();
  const known = new Set<string>();
  for (const { run: one } of await runsBelow(journal, run)) {
    const snapshot = foldRecords(await journal.read(one));
    const { workflow } = (await journal.getBody(bodyHash(snapshot.definition))) as unknown as Definition;
    for (const spec of workflow.agents) known.add(spec.name);
    const spec = workflow.agents.find(({ name }) => name === agent);
    if (spec === undefined) continue;
    if (one === run) return workspaceOf(snapshot, spec);
    found.add(workspaceOf(snapshot, spec));
  }
  const [only, another] = found;
  if (only !== undefined && another === undefined) return only;
  if (only === undefined) throw unknownAgent(run, agent, [...known]);
  throw new Fault('AGENT_AMBIGUOUS', `Several runs below ${run} have an agent "${agent}".`, {
    hint: `Name the workspace: ${[...found].map((name) => `--workspace ${name}`).join(', ')}`,
    facts: { workspaces: [...found] },
  });
}

function unknownAgent(run: RunId, agent: string, names: readonly string[]): Fault {
  return new Fault('AGENT_UNKNOWN', `No agent of run ${run} is named "${agent}".`, {
    hint: nameHint(agent, names) ?? 'It has no agents.',
    facts: { agents: names },
  });
}
