import type { Problem } from '../core/fault.ts';
import type { Role } from '../core/role.ts';
import type { AgentSpec, PoolWork, Workflow } from '../core/workflow.ts';
import { WRITING_TOOLS } from './roles/shipped-tools.ts';

/** Agents that write in one folder at the same time take turns (Q9); whoever wants them side by side is told how. */
export function checkTurns(workflow: Workflow, roles: Readonly<Record<string, Role>>): readonly Problem[] {
  return Object.values(workflow.states).flatMap((state): readonly Problem[] => {
    if (state.kind === 'end' || state.work.kind !== 'pool') return [];
    return crowded(agentsIn(workflow, state.work), roles).map(([place, names]) => ({
      code: 'WORKSPACE_TURNS',
      message: `${listed(names)} may write in ${place} at the same time in "${state.name}", so they take turns with their tools.`,
      severity: 'warning',
      ...(workflow.file === undefined ? {} : { file: workflow.file }),
      ...(state.at === undefined ? {} : { at: state.at }),
      path: `states.${state.name}`,
      hint: 'Give each a workspace of its own and merge them, or roles with the mode "read".',
    }));
  });
}

/** An agent that may only read cannot change files, so the demand would never count (L3). */
export function checkChanges(workflow: Workflow, roles: Readonly<Record<string, Role>>): readonly Problem[] {
  // Each agent type of a phase has its own mode, and outputs that fit it.
  if (workflow.dialect === 'phases') return [];
  return Object.values(workflow.states).flatMap((state): readonly Problem[] => {
    if (state.kind === 'end' || state.work.kind !== 'turn' || state.work.changes === undefined) return [];
    const { agent: name } = state.work;
    const role = roles[workflow.agents.find((agent) => agent.name === name)?.role ?? ''];
    if (role === undefined || mayWrite(role)) return [];
    return [
      {
        code: 'CHANGES_NOT_ALLOWED',
        message: `"${state.name}" requires changed files, but its agent ${name} may only read.`,
        severity: 'warning',
        ...(workflow.file === undefined ? {} : { file: workflow.file }),
        ...(state.at === undefined ? {} : { at: state.at }),
        path: `states.${state.name}`,
        hint: 'Remove "changes" from the state, or give the agent a role with the mode "write".',
      },
    ];
  });
}

/** The agent of each turn that may be under way beside another one. */
function agentsIn({ agents }: Workflow, { units, slots }: PoolWork): readonly AgentSpec[] {
  if (slots < 2) return [];
  // Of a list whose length nobody knows yet, two are as good as many.
  const works = units.kind === 'items' ? [units.work, units.work] : units.list.map(({ work }) => work);
  const names = works.flatMap((work) => (work.kind === 'turn' && work.mode === 'ask' ? [work.agent] : []));
  return names.flatMap((name) => agents.filter((agent) => agent.name === name));
}

/** The workspaces with more than one writer, as a reader would call them, and who writes there. */
function crowded(
  agents: readonly AgentSpec[],
  roles: Readonly<Record<string, Role>>,
): readonly (readonly [string, readonly string[]])[] {
  const writers = new Map<string, string[]>();
  for (const { name, role, workspace = 'shared' } of agents) {
    if (!mayWrite(roles[role])) continue;
    const place = workspace === 'own' ? name : workspace;
    writers.set(place, [...(writers.get(place) ?? []), name]);
  }
  return [...writers]
    .filter(([, names]) => names.length > 1)
    .map(([place, names]) => [place === 'shared' ? 'the workspace of the run' : `the workspace "${place}"`, names]);
}

function mayWrite(role: Role | undefined): boolean {
  if (role === undefined || (role.mode ?? 'write') !== 'write') return false;
  const has = (tool: string) => !role.excludedTools.includes(tool) && (role.includedTools?.includes(tool) ?? true);
  return WRITING_TOOLS.some(has);
}

function listed(names: readonly string[]): string {
  const [first = '', ...others] = new Set(names);
  const last = others.at(-1);
  return last === undefined ? `Several turns of ${first}` : `${[first, ...others.slice(0, -1)].join(', ')} and ${last}`;
}
