import type { FoundProgram } from '../../actors/clients/found-program.ts';
import type { ClientChoice } from '../config/choose-actor.ts';
import { findProgram } from './find-program.ts';

/** A client that is known by one program. */
export type OwnChoice = Exclude<ClientChoice, { readonly kind: 'acp' }>;

/** The program of a client: the one that is configured, or the one its installer left. Null where there is none. */
export async function clientProgram(
  { kind, settings }: OwnChoice,
  environment: NodeJS.ProcessEnv,
): Promise<FoundProgram | null> {
  const named = settings.program === undefined ? undefined : findProgram(settings.program, environment);
  return named === null ? null : await FINDERS[kind](named, environment);
}

type Find = (named: string | undefined, environment: NodeJS.ProcessEnv) => Promise<FoundProgram | null>;

/** What scripts and links lead to, from the one that was named or the one that is found. */
const FINDERS: Readonly<Record<OwnChoice['kind'], Find>> = {
  'claude-code': async (named, environment) => {
    const { findClaude, resolveClaude } = await import('../../actors/clients/claude/find-claude.ts');
    return named === undefined ? findClaude(environment) : resolveClaude(named);
  },
  codex: async (named, environment) => {
    const { findCodex, resolveCodex } = await import('../../actors/clients/codex/find-codex.ts');
    return named === undefined ? findCodex(environment) : resolveCodex(named);
  },
};
