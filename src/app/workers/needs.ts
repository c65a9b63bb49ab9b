import { Fault } from '../../core/model/fault.ts';
import { LABEL } from '../../core/model/label.ts';
import { listsTool, serverIn, serverPattern } from '../../core/model/mcp-names.ts';
import type { Role } from '../../core/model/role.ts';
import type { Definition } from '../../core/model/definition.ts';
import { clientCommand } from '../clients/client-actors.ts';
import { actorName, chooseActor, isClient, knownActors } from '../config/choose-actor.ts';
import { chooseModel, LEVELS, namedModel, withKey } from '../config/choose-model.ts';
import type { Config } from '../config/config.ts';
import type { QueuedReason } from '../../protocol/status-word.ts';
import { projectNeed } from '../../host/workers/lanes.ts';
import { projectId } from '../../workspace/travel/project-id.ts';
import type { McpServerSettings } from '../../tools/mcp/endpoint.ts';
import { modeOffers } from '../../tools/mode.ts';
import type { Tool } from '../../tools/port.ts';
import { toolsFor } from '../../tools/tools-for.ts';
import { playersOf } from '../library/check-models.ts';

// What runs need of workers and workers offer, in the same words: `label gpu`, `client codex`, `model smart`, `server docs`,
// `project git:…`.

/** What a worker must offer to drive a run of this definition. LABEL_INVALID. */
export function needsOf(definition: Definition, config: Config, besides: BesidesNeeds = {}): readonly string[] {
  const { labels = [], tools = [] } = besides;
  const players = playersOf(definition, config);
  const played = players.flatMap(({ role, choice }) => {
    if (isClient(choice)) return [`client ${actorName(choice)}`];
    return choice.kind === 'model' ? [`model ${namedModel(role.level)}`] : [];
  });
  const servers = players.flatMap(({ role }) => serversOf(role, config)).map((name) => `${SERVER}${name}`);
  const { workflow, library } = definition;
  const written = [workflow, ...Object.values(library)].flatMap((one) => one.labels ?? []);
  const ofTools = players.flatMap(({ role }) => toolsFor(role, tools).tools).flatMap((tool) => tool.labels ?? []);
  const labelled = [...written, ...ofTools, ...checkedLabels(labels)].map(labelNeed);
  return [...new Set([...labelled, ...played, ...servers])].toSorted();
}

interface BesidesNeeds {
  /** Those that the user asked for. */
  readonly labels?: readonly string[] | undefined;
  /** Those that agents of the run may be offered. */
  readonly tools?: readonly Tool[];
}

const SERVER = 'server ';

/** The MCP servers among the needs of a run. */
export const neededServers = (needs: readonly string[]): readonly string[] =>
  needs.flatMap((need) => (need.startsWith(SERVER) ? [need.slice(SERVER.length)] : []));

/** Servers whose tools a role is offered: those that it names, and without a list those that are configured here. */
function serversOf(role: Role, { mcp, excludedTools }: Config): readonly string[] {
  const named = role.includedTools?.flatMap((tool) => serverIn(tool) ?? []);
  return (named ?? Object.keys(mcp)).filter((name) => {
    const all = serverPattern(name);
    const leastMode = mcp[name]?.mode ?? 'read';
    return (
      modeOffers(role.mode ?? 'write', { access: 'talk', leastMode }) &&
      !listsTool([...role.excludedTools, ...excludedTools], all)
    );
  });
}

/** What this machine can serve: its labels, the clients that are installed, the models and MCP servers that have their keys. */
export async function offersOf(
  config: Config,
  environment: NodeJS.ProcessEnv,
  labels: readonly string[],
): Promise<readonly string[]> {
  const levels = [...new Set([...LEVELS, ...Object.keys(config.models)])];
  const models = levels.filter((level) => hasModel(config, level, environment)).map((level) => `model ${level}`);
  const actors = knownActors(config).filter((name) => name !== 'model' && name !== 'scripted');
  const found = await Promise.all(
    actors.map(async (name) => ((await hasClient(config, name, environment)) ? [name] : [])),
  );
  const clients = found.flat().map((name) => `client ${name}`);
  const servers = Object.entries(config.mcp).flatMap(([name, one]) =>
    hasKeys(one, environment) ? [`${SERVER}${name}`] : [],
  );
  return [...checkedLabels(labels).map(labelNeed), ...clients, ...models, ...servers].toSorted();
}

/** A worker that is started in a project begins its scheduled runs. */
export const projectOffer = async (project: string | null): Promise<readonly string[]> =>
  project === null ? [] : [projectNeed(await projectId(project))];

const labelNeed = (label: string): string => `label ${label}`;

const hasKeys = ({ env = [], apiKeyEnv }: McpServerSettings, environment: NodeJS.ProcessEnv): boolean =>
  [...env, ...(apiKeyEnv === undefined ? [] : [apiKeyEnv])].every((name) => environment[name] !== undefined);

function hasModel(config: Config, level: string, environment: NodeJS.ProcessEnv): boolean {
  try {
    const { choice } = chooseModel(config, level);
    return choice.kind === 'scripted' || withKey(choice, environment) !== undefined;
  } catch {
    return false;
  }
}

async function hasClient(config: Config, name: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    const choice = chooseActor(name, config);
    return isClient(choice) && (await clientCommand(choice, environment)).length > 0;
  } catch {
    return false;
  }
}

/** `gpu,linux`, or given several times. LABEL_INVALID. */
function checkedLabels(given: readonly string[]): readonly string[] {
  const labels = given.flatMap((text) => text.split(',')).map((label) => label.trim());
  const wrong = labels.find((label) => !LABEL.test(label));
  if (wrong === undefined) return labels;
  throw new Fault('LABEL_INVALID', `"${wrong}" is not a label.`, {
    hint: 'A label has up to 64 letters, digits and . : _ -, and commas separate labels, as in: gpu,linux',
  });
}

/** As much of a worker as tells which runs it takes. */
export interface OfferingWorker {
  readonly offers: readonly string[];
  readonly isAlive: boolean;
  readonly isDraining: boolean;
}

/** Why no worker drives a run that wants to go on. */
export function whyQueued(needs: readonly string[], workers: readonly OfferingWorker[]): QueuedReason {
  const offers = workers.flatMap((worker) => (worker.isAlive && !worker.isDraining ? [worker.offers] : []));
  if (offers.length === 0) return lacks('no worker is running; start one with: troupe worker');
  if (offers.some((all) => needs.every((need) => all.includes(need))))
    return { kind: 'free-soon', text: 'waits for a free worker' };
  const missing = needs.filter((need) => !offers.some((all) => all.includes(need)));
  return lacks(`no worker offers ${missing.length > 0 ? missing.join(', ') : `all of ${needs.join(', ')}`}`);
}

const lacks = (text: string): QueuedReason => ({ kind: 'lacks', text });
