import type { Finding } from '../model/finding.ts';
import { NO_PLACE, type PlaceOf } from '../evaluate/reserved-names.ts';
import type { AgentSpec, CommandWork, MergeWork, UnitWork, Work, Workflow } from '../model/workflow.ts';
import { MAIN_WORKSPACE } from '../model/workspace-name.ts';

/** The workspaces of agents, and the resources they hold, must have valid names. */
export function validateWorkspaces({ agents }: Workflow, placeOf: PlaceOf = NO_PLACE): readonly Finding[] {
  return agents.flatMap((agent) => {
    const at = placeOf('agents', agent.name);
    const path = `agents.${agent.name}`;
    const found = [...validateName(agent, `${path}.workspace`), ...validateHolds(agent.holds, `${path}.holds`)];
    return found.map((finding) => ({ ...finding, at }));
  });
}

/** A name becomes a folder, a word in messages, and a part of dotted names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Names that the engine itself uses. */
const TAKEN: ReadonlySet<string> = new Set([MAIN_WORKSPACE, 'scratch', 'throwaway', 'shared']);

function validateName({ name: agent, workspace = 'shared' }: AgentSpec, path: string): readonly Finding[] {
  if (workspace === 'shared') return [];
  const name = workspace === 'own' ? agent : workspace;
  const says = workspace === 'own' ? `has its own workspace, so it would be called "${name}"` : `works in "${name}"`;
  if (TAKEN.has(name)) {
    const message = `The agent "${agent}" ${says}, which is the name of another workspace.`;
    const hint = name === MAIN_WORKSPACE ? 'For the workspace of the run say "shared".' : 'Choose another name.';
    return [{ code: 'WORKSPACE_INVALID', message, path, hint }];
  }
  if (NAME.test(name)) return [];
  const message = `The agent "${agent}" ${says}, which cannot be the name of a workspace.`;
  const hint = 'Say "shared", "own", or a name of at most 64 letters, digits, dashes and underscores.';
  return [{ code: 'WORKSPACE_INVALID', message, path, hint }];
}

/** A list that is empty, or has an empty name, holds nothing although it claims to. */
export function validateHolds(holds: readonly string[] | undefined, path: string): readonly Finding[] {
  if (holds === undefined || (holds.length > 0 && holds.every((name) => name.trim() !== ''))) return [];
  const message = '"holds" must name at least one resource, and no name may be empty.';
  const hint = 'Name what only one may use at a time, such as "database", or leave it out.';
  return [{ code: 'HOLDS_INVALID', message, path, hint }];
}

/** Commands and merges name agents too: the ones whose files they work on. */
export function validateFilesWork({ agents }: Workflow, work: Work | UnitWork, path: string): readonly Finding[] {
  if (work.kind === 'command') return validateCommand(agents, work, path);
  return work.kind === 'merge' ? validateMerge(agents, work, path) : [];
}

function validateCommand(agents: readonly AgentSpec[], work: CommandWork, path: string): readonly Finding[] {
  const message = 'A command with no good exit code can only fail.';
  return [
    ...(work.okExitCodes.length > 0 ? [] : [{ code: 'COMMAND_NEVER_OK' as const, message, path }]),
    ...(work.agent === undefined ? [] : validateAgent(agents, work.agent, path)),
    ...validateHolds(work.holds, `${path}.holds`),
  ];
}

function validateMerge(agents: readonly AgentSpec[], { agent: name }: MergeWork, path: string): readonly Finding[] {
  if (name === null) return [];
  const agent = agents.find((one) => one.name === name);
  if (agent === undefined) return validateAgent(agents, name, path);
  if ((agent.workspace ?? 'shared') !== 'shared') return [];
  return [
    {
      code: 'MERGE_NOTHING',
      message: `The agent "${name}" works in the workspace of the run, so there is nothing to merge.`,
      severity: 'warning',
      path: `${path}.agent`,
      hint: 'Give the agent its own workspace, or remove the merge.',
    },
  ];
}

export function validateAgent(agents: readonly AgentSpec[], name: string, path: string): readonly Finding[] {
  if (agents.some((agent) => agent.name === name)) return [];
  const known = agents.map((agent) => agent.name).join(', ');
  return [
    {
      code: 'AGENT_UNKNOWN',
      message: `There is no agent named "${name}".`,
      path: `${path}.agent`,
      ...(known === '' ? {} : { hint: `The agents are ${known}.` }),
    },
  ];
}
