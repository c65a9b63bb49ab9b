import { Fault } from '../../core/model/fault.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { AgentSpec } from '../../core/model/workflow.ts';
import { closestName, nameHint } from '../../source/closest-name.ts';
import type { AcpSettings, ClientSettings } from './actor-settings.ts';
import type { Config } from './config.ts';

/** Who plays an agent: a model of the configuration, or a separate program. */
export type ActorChoice =
  | { readonly kind: 'model' }
  /** A model that answers from a file, whatever the role's level stands for. */
  | { readonly kind: 'scripted' }
  | { readonly kind: 'claude-code' | 'codex'; readonly settings: ClientSettings }
  /** Without settings: one that is known already. */
  | { readonly kind: 'acp'; readonly name: string; readonly settings: AcpSettings | null };

export type ClientChoice = Extract<ActorChoice, { readonly kind: 'claude-code' | 'codex' | 'acp' }>;

/** ACP agents that need no settings. */
export const ACP_PRESET_NAMES = ['claude-agent-acp', 'codex-acp', 'gemini', 'opencode'] as const;

const ACP = 'acp:';

/** Every actor that can be named here. */
export function knownActors({ actors }: Config): readonly string[] {
  const acp = new Set([...Object.keys(actors.acp ?? {}), ...ACP_PRESET_NAMES]);
  return ['claude-code', 'codex', 'model', 'scripted', ...[...acp].map((name) => `${ACP}${name}`)];
}

/** Resolves a name. Without a name the agent is a model. */
export function chooseActor(name: string | undefined, config: Config): ActorChoice {
  if (name === undefined || name === 'model') return { kind: 'model' };
  if (!knownActors(config).includes(name)) throw unknownActor(name, config);
  if (name === 'scripted') return { kind: name };
  const choice = clientChoice(name, config);
  if (choice.settings?.isBarred === true) {
    throw new Fault(
      'PROJECT_UNTRUSTED',
      `The project names the program of "${name}", and its settings are not trusted.`,
      {
        hint: 'See what they would do, and agree or not: troupe trust',
      },
    );
  }
  return choice;
}

function clientChoice(name: string, { actors }: Config): ClientChoice {
  if (name === 'claude-code' || name === 'codex') return { kind: name, settings: actors[name] ?? {} };
  const agent = name.slice(ACP.length);
  return { kind: 'acp', name: agent, settings: actors.acp?.[agent] ?? null };
}

export function isClient(choice: ActorChoice): choice is ClientChoice {
  return choice.kind !== 'model' && choice.kind !== 'scripted';
}

/** How a client is called in journals and messages. */
export const actorName = (choice: ClientChoice): string =>
  choice.kind === 'acp' ? `${ACP}${choice.name}` : choice.kind;

/** The error of an actor's name, with a suggestion; null if the name is valid. */
export function actorProblem(name: string, config: Config): { readonly message: string; readonly hint: string } | null {
  const known = knownActors(config);
  if (known.includes(name)) return null;
  const declare = name.startsWith(ACP)
    ? ` Your own agent is declared in .troupe/config.yaml: actors: { acp: { ${name.slice(ACP.length)}: { command: [PROGRAM] } } }`
    : '';
  return {
    message: `There is no actor named "${name}".`,
    hint: `${nameHint(name, known) ?? ''}${declare}`,
  };
}

function unknownActor(name: string, config: Config): Fault {
  const problem = actorProblem(name, config);
  return new Fault('ACTOR_UNKNOWN', problem?.message ?? '', { hint: problem?.hint ?? '' });
}

/** From the command line: by role or agent, and `null` for all others. */
export interface ActorOverrides {
  readonly byName: Readonly<Record<string, string>>;
  readonly others: string | null;
}

export const NO_ACTORS: ActorOverrides = { byName: {}, others: null };

/** `coder=codex`, or only `codex` for everybody. */
export function parseActors(list: readonly string[], config: Config): ActorOverrides {
  const byName = new Map<string, string>();
  let others: string | null = null;
  for (const text of list) {
    const cut = text.indexOf('=');
    const actor = text.slice(cut + 1);
    if (actorProblem(actor, config) !== null) throw unknownActor(actor, config);
    if (cut === -1) others = actor;
    else byName.set(text.slice(0, cut), actor);
  }
  return { byName: Object.fromEntries(byName), others };
}

/** The actor chosen for the first of these agent or role names that has one, if any. */
export function actorOf({ byName, others }: ActorOverrides, ...names: readonly string[]): { readonly actor?: string } {
  const named = names.find((name) => Object.hasOwn(byName, name));
  const actor = named === undefined ? others : (byName[named] ?? others);
  return actor === null ? {} : { actor };
}

/** The command line has the last word, also where the workflow would find out only later. */
export function playedBy(agent: AgentSpec, overrides: ActorOverrides): AgentSpec {
  const { actor } = actorOf(overrides, agent.name, agent.role);
  const { model: _model, ...rest } = agent;
  return actor === undefined ? agent : { ...rest, actor };
}

/** A misspelt one would be played by somebody else, without a word. */
export function refuseStrangers({ workflow, library, roles }: Definition, names: readonly string[]): void {
  const agents = [workflow, ...Object.values(library)].flatMap((one) => one.agents.map(({ name }) => name));
  const known = [...new Set([...agents, ...Object.keys(roles)])];
  const stranger = names.find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const closest = closestName(stranger, known);
  throw new Fault('AGENT_UNKNOWN', `The workflow has no agent and no role named "${stranger}".`, {
    hint: closest === undefined ? `It has: ${known.join(', ')}.` : `Did you mean "${closest}"?`,
    facts: { known },
  });
}
