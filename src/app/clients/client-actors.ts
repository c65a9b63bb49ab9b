import type { Actor, ClientProbe } from '../../actors/port.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Sandbox } from '../../sandbox/port.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { withLoginSecrets } from '../secrets/login-secrets.ts';
import { actorName, type ClientChoice } from '../config/choose-actor.ts';
import { given } from '../config/setting-values.ts';
import type { AcpAgent } from '../../actors/clients/acp/acp-agent.ts';
import type { OwnVariables } from '../../actors/clients/client-box.ts';
import type { FoundProgram } from '../../actors/clients/probe-program.ts';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

type AcpChoice = Extract<ClientChoice, { readonly kind: 'acp' }>;

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

/** A program by its path, or by its name on the path; null where there is none that can be started. */
export function findProgram(program: string, environment: NodeJS.ProcessEnv): string | null {
  if (program.includes('/')) return canStart(program) ? program : null;
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, program)).find(canStart) ?? null;
}

function canStart(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A client that is known by one program. */
type OwnChoice = Exclude<ClientChoice, { readonly kind: 'acp' }>;

/** The program of a client: the one that is configured, or the one its installer left. Null where there is none. */
async function clientProgram(
  { kind, settings }: OwnChoice,
  environment: NodeJS.ProcessEnv,
): Promise<FoundProgram | null> {
  const named = settings.program === undefined ? undefined : findProgram(settings.program, environment);
  return named === null ? null : await FINDERS[kind](named, environment);
}

type Find = (named: string | undefined, environment: NodeJS.ProcessEnv) => Promise<FoundProgram | null>;

/** Finds the real program behind scripts and links, from the named or the found one. */
const FINDERS: Readonly<Record<OwnChoice['kind'], Find>> = {
  'claude-code': async (named, environment) => {
    const { findClaude, resolveClaude } = await import('../../actors/clients/claude/probe-claude.ts');
    return named === undefined ? findClaude(environment) : resolveClaude(named);
  },
  codex: async (named, environment) => {
    const { findCodex, resolveCodex } = await import('../../actors/clients/codex/probe-codex.ts');
    return named === undefined ? findCodex(environment) : resolveCodex(named);
  },
};

/** What a client is started with. */
export interface ClientBench {
  readonly openSandbox: () => Promise<Sandbox>;
  /** The user's, of which each client gets its own variables only. */
  readonly environment: NodeJS.ProcessEnv;
  /** Variables that are hidden from clients. */
  readonly hidden: readonly string[];
  /** The engine's version, as clients see it. */
  readonly version: string;
  readonly secrets: KnownSecrets;
}

/** The code that speaks to a client is loaded with its first call. */
export async function createClientActor(choice: ClientChoice, bench: ClientBench): Promise<Actor> {
  const [actor, logins] = await Promise.all([clientActor(choice, bench), userLoginFiles(choice, bench.environment)]);
  return withLoginSecrets(actor, logins, bench.secrets);
}

/** The user's own files that hold logins of this client. */
async function userLoginFiles(choice: ClientChoice, environment: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { userLogins } = await import('../../actors/clients/client-vendor.ts');
  if (choice.kind === 'acp') return userLogins(await acpAgent(choice), environment);
  if (choice.kind === 'codex') {
    return userLogins((await import('../../actors/clients/codex/codex-setup.ts')).CODEX, environment);
  }
  return userLogins((await import('../../actors/clients/claude/claude-setup.ts')).CLAUDE, environment);
}

async function clientActor(choice: ClientChoice, bench: ClientBench): Promise<Actor> {
  const command = await clientCommand(choice, bench.environment);
  const { price, hosts = [] } = choice.settings ?? {};
  const options = { ...bench, hosts, ...(price === undefined ? {} : { price }) };
  if (choice.kind === 'acp') {
    const { createAcpActor } = await import('../../actors/clients/acp/acp-actor.ts');
    return createAcpActor({ ...options, command, agent: await acpAgent(choice) });
  }
  const { model, effort } = choice.settings;
  const [program = ''] = command;
  const own = { ...options, program, ...given({ model, effort }) };
  if (choice.kind === 'codex') {
    const { createCodexActor } = await import('../../actors/clients/codex/codex-actor.ts');
    return createCodexActor(own);
  }
  const { createClaudeActor } = await import('../../actors/clients/claude/claude-actor.ts');
  return createClaudeActor(own);
}

/** How it is started. A run that would miss it in the middle is refused before it begins. */
export async function clientCommand(choice: ClientChoice, environment: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const found = choice.kind === 'acp' ? await acpCommand(choice, environment) : await ownProgram(choice, environment);
  if (found === null) throw missing(choice);
  return found;
}

async function acpCommand(choice: AcpChoice, environment: NodeJS.ProcessEnv): Promise<readonly string[] | null> {
  const { findAcp } = await import('../../actors/clients/acp/probe-acp.ts');
  return findAcp(await acpAgent(choice), environment);
}

async function ownProgram(choice: OwnChoice, environment: NodeJS.ProcessEnv): Promise<readonly string[] | null> {
  const found = await clientProgram(choice, environment);
  return found === null ? null : [found.path];
}

function missing(choice: ClientChoice): Fault {
  const name = actorName(choice);
  const wanted = choice.kind === 'acp' ? choice.settings?.command[0] : choice.settings.program;
  const where = wanted === undefined ? '' : `: there is no program ${wanted}`;
  return new Fault('CLIENT_MISSING', `The agent "${name}" is not installed${where}.`, {
    hint: 'See what is found, and what to do: troupe doctor',
    facts: { actor: name },
  });
}

/** Examines a client without network requests. */
export async function probeClient(choice: ClientChoice, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  const probe = await probed(choice, environment);
  const named = choice.kind === 'acp' ? choice.settings?.command[0] : choice.settings.program;
  if (probe.isFound || named === undefined) return probe;
  return { ...probe, problem: `There is no program ${named}.`, hint: 'Fix the setting, or leave it out.' };
}

async function probed(choice: ClientChoice, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  if (choice.kind === 'acp') {
    const { probeAcp } = await import('../../actors/clients/acp/probe-acp.ts');
    return await probeAcp(await acpAgent(choice), environment);
  }
  const found = await clientProgram(choice, environment);
  if (choice.kind === 'codex') {
    const { probeCodex } = await import('../../actors/clients/codex/probe-codex.ts');
    return await probeCodex(found, environment);
  }
  const { probeClaude } = await import('../../actors/clients/claude/probe-claude.ts');
  return await probeClaude(found, environment);
}
