import type { Power } from '../../workspace/trust.ts';
import { ACP_PRESET_NAMES } from './choose-actor.ts';
import type { AcpSettings, ActorSettings, ClientSettings } from './actor-settings.ts';
import { contentOf } from './program-content.ts';

/** The programs that a project's own settings would start as agents. `root`: the project's folder. */
export function actorPowers(actors: ActorSettings, root: string): readonly Power[] {
  return [
    ...clientPowers('claude-code', actors['claude-code'], root),
    ...clientPowers('codex', actors.codex, root),
    ...Object.entries(actors.acp ?? {}).map(([name, agent]) => acpPower(name, agent, root)),
  ];
}

/** They stay known by name, so that nobody gets another program instead. */
export function barred(actors: ActorSettings): ActorSettings {
  const { acp } = actors;
  return {
    ...barredClient('claude-code', actors['claude-code']),
    ...barredClient('codex', actors.codex),
    ...(acp === undefined
      ? {}
      : {
          acp: Object.fromEntries(Object.entries(acp).map(([name, agent]) => [name, { ...agent, isBarred: true }])),
        }),
  };
}

function barredClient(kind: 'claude-code' | 'codex', settings: ClientSettings | undefined): ActorSettings {
  if (settings === undefined) return {};
  const { hosts: _hosts, ...left } = settings;
  return { [kind]: settings.program === undefined ? left : { ...left, isBarred: true } };
}

function clientPowers(kind: string, settings: ClientSettings | undefined, root: string): readonly Power[] {
  const { program, hosts = [] } = settings ?? {};
  const reached: readonly Power[] = hosts.map((host) => ({
    kind: 'address',
    setting: `actors.${kind}.hosts`,
    does: `lets the agent ${kind}, with your login, reach ${host}, also where its role has no network`,
  }));
  if (program === undefined) return reached;
  const login = 'in the sandbox, with the network and your login';
  const does = `runs ${program}${contentOf([program], root)} as the agent ${kind}, ${login}`;
  return [{ kind: 'command', setting: `actors.${kind}.program`, does }, ...reached];
}

function acpPower(name: string, { command, env, hosts = [] }: AcpSettings, root: string): Power {
  const keys = env.length === 0 ? '' : `, and gives it ${env.join(', ')}`;
  const login = (ACP_PRESET_NAMES as readonly string[]).includes(name) ? ' and your login' : '';
  const where = `in the sandbox, with the network${login}`;
  const reached = hosts.length === 0 ? '' : `, and lets it reach ${hosts.join(', ')} also without`;
  const what = `${JSON.stringify(command)}${contentOf(command, root)}`;
  const does = `runs ${what} as the agent acp:${name}, ${where}${keys}${reached}`;
  return { kind: 'command', setting: `actors.acp.${name}`, does };
}
