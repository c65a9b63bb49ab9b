import type { Problem } from '../../core/model/fault.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { serverIn } from '../../core/model/mcp-names.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Limits, Workflow } from '../../core/model/workflow.ts';
import type { GivenInput } from '../../formats/check-input.ts';
import { placedRole } from '../../source/roles/placed-role.ts';
import { namesIn, unknownTools } from '../../tools/tools-for.ts';
import { checkModels, refuseProblems } from '../library/check-models.ts';
import { checkServerNames, knownServers } from '../library/check-actors.ts';
import { findWorkflow, type FoundWorkflow, refusePart } from '../library/find-workflow.ts';
import { wantedDefinition } from '../library/wanted-definition.ts';
import { limitsFor, refuseUnusableVerify, runInput, runTitle, withChecks } from './run-input.ts';
import type { SessionRequest, Session } from './session.ts';
import type { Begin } from './going-on.ts';
import type { StartOptions } from '../../host/port.ts';
import { needsOf } from '../workers/needs.ts';
import { queueRun } from './queue-run.ts';
import { scheduledRunId } from '../../host/new-run-id.ts';
import { sendAway } from './send-away.ts';
import { startTerms, wishedLimits } from './terms.ts';

/** The workflow that is meant; `refuse` may throw for one that is not meant to be started this way. */
export async function workflowToStart(
  prepared: SessionRequest,
  name: string,
  refuse: (workflow: Workflow) => void = () => undefined,
): Promise<FoundWorkflow> {
  const found = await findWorkflow(name, prepared);
  refuse(found.workflow);
  await refusePart(found.workflow, prepared);
  return found;
}

export interface StartRequest {
  readonly found: FoundWorkflow;
  readonly input: GivenInput;
  /** Whether somebody can be asked about a command that is missing. */
  readonly canAsk: boolean;
}

/** A run that may begin: everything was checked, and nothing exists yet. */
export interface ReadyRun {
  readonly definition: Definition;
  readonly input: JsonObject;
  readonly limits: Partial<Limits>;
}

export async function readyRun(
  prepared: SessionRequest,
  { found, input: given, canAsk }: StartRequest,
): Promise<ReadyRun> {
  const { workflow } = found;
  const { config } = prepared.project;
  const input = await withChecks(await runInput(given, workflow), workflow, prepared);
  if (!canAsk) refuseUnusableVerify(input, workflow, prepared);
  const limits = limitsFor(workflow, config.limits, wishedLimits(prepared.wishes));
  const definition = wantedDefinition(found.definition, prepared, prepared.caller.folder);
  const roles = placedRole(definition.roles, found.roles);
  await checkModels({ ...definition, roles }, prepared.actors, limits);
  // Workers have their own servers: the run waits for one that offers those that it names.
  if (!prepared.isLeftToWorkers)
    refuseProblems(checkServerNames(Object.keys(roles), roles, knownServers(prepared.project)), UNKNOWN_SERVERS);
  return { definition, input, limits };
}

const UNKNOWN_SERVERS = 'The workflow names MCP servers that are not configured.';

/** Its id is known before there is a run, so that what is reported of its beginning can name it. */
export function startRun(session: Session, { definition, input, limits }: ReadyRun): Begin {
  const { host, world, project, isLeftToWorkers, schedule } = session;
  const run = schedule === undefined ? world.newRunId() : scheduledRunId(schedule);
  const begin = async (): Promise<null> => {
    const terms = startTerms(session);
    const queueing = isLeftToWorkers ? queueingOf(session, definition) : {};
    await host.start({
      definition,
      input,
      limits,
      project: project.root,
      title: runTitle(input),
      run,
      terms,
      ...queueing,
    });
    if (isLeftToWorkers) await queueRun(session, run);
    return null;
  };
  return { kind: isLeftToWorkers ? 'queued' : 'here', run, begin };
}

/** The needs of a queued run and its place in the queue. */
function queueingOf(session: Session, definition: Definition): Pick<StartOptions, 'needs' | 'priority' | 'sendAway'> {
  const { project, wishes, world } = session;
  return {
    sendAway: sendAway(session, definition),
    needs: needsOf(definition, project.config, { labels: wishes.labels, tools: world.tools }),
    ...(wishes.priority === undefined ? {} : { priority: wishes.priority }),
  };
}

/** A misspelt tool in `ask` would never be asked about. */
export function toolWarnings(
  { world, isLeftToWorkers }: Session,
  { workflow, library, roles }: Definition,
): readonly Problem[] {
  const all: readonly Workflow[] = [workflow, ...Object.values(library)];
  const used = new Set(all.flatMap(({ agents }) => agents.map(({ role }) => role)));
  const known = world.tools.map(({ spec }) => spec.name);
  const problems = [...used].flatMap((name) => {
    const role = roles[name];
    if (role === undefined) return [];
    // Only the worker that drives the run knows the tools of its servers.
    const ofServers = isLeftToWorkers ? namesIn(role).filter((tool) => serverIn(tool) !== null) : [];
    return unknownTools(role, [...known, ...ofServers]);
  });
  return problems.map((problem) => ({ ...problem, severity: 'warning' }));
}
