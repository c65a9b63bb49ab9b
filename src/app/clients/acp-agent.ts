import type { AcpAgent } from '../../actors/clients/acp/acp-agent.ts';
import type { OwnVariables } from '../../actors/clients/client-environment.ts';
import type { ClientChoice } from '../config/choose-actor.ts';

export type AcpChoice = Extract<ClientChoice, { readonly kind: 'acp' }>;

/** A known agent, one of the settings alone, or a known one that is started as the settings say. */
export async function acpAgent({ name, settings }: AcpChoice): Promise<AcpAgent> {
  const [{ acpPreset }, { plainAgent }] = await Promise.all([
    import('../../actors/clients/acp/acp-presets.ts'),
    import('../../actors/clients/acp/acp-agent.ts'),
  ]);
  const preset = acpPreset(name);
  const { command = [], env = [] } = settings ?? {};
  const known = preset ?? plainAgent({ name, command, variables: env });
  if (settings === null) return known;
  const own = exactly(env, preset?.own ?? { prefixes: [], except: [] });
  return { ...known, command, own };
}

/** The variables that were named, to the letter, besides those that are the agent's own anyway. */
function exactly(names: readonly string[], own: OwnVariables): OwnVariables {
  if (names.length === 0) return own;
  const others = new RegExp(`^(?!${[...names.map((name) => `${name}$`), ...own.prefixes].join('|')})`);
  return { prefixes: [...own.prefixes, ...names], except: [...own.except, others] };
}
