import type { Actor } from '../../actors/port.ts';
import { Fault } from '../../core/fault.ts';
import type { Sandbox } from '../../sandbox/port.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { withLoginSecrets } from '../secrets/login-secrets.ts';
import { actorName, type ClientChoice } from '../config/choose-actor.ts';
import { given } from '../config/setting-values.ts';
import { acpAgent, type AcpChoice } from './acp-agent.ts';
import { clientProgram, type OwnChoice } from './client-program.ts';

/** What a client is started with. */
export interface ClientBench {
  readonly openSandbox: () => Promise<Sandbox>;
  /** The user's, of which each client gets its own variables only. */
  readonly environment: NodeJS.ProcessEnv;
  /** What no client gets to see. */
  readonly hidden: readonly string[];
  /** The engine's, told to clients. */
  readonly version: string;
  readonly secrets: KnownSecrets;
}

/** The code that speaks to a client is loaded with its first call. */
export async function createClientActor(choice: ClientChoice, bench: ClientBench): Promise<Actor> {
  const [actor, logins] = await Promise.all([clientActor(choice, bench), userLogins(choice, bench.environment)]);
  return withLoginSecrets(actor, logins, bench.secrets);
}

/** The user's own files that hold logins of this client. */
async function userLogins(choice: ClientChoice, environment: NodeJS.ProcessEnv): Promise<readonly string[]> {
  if (choice.kind === 'acp') {
    const { agentLogins } = await import('../../actors/clients/acp/acp-agent.ts');
    return agentLogins(await acpAgent(choice), environment, '').map(({ user }) => user);
  }
  if (choice.kind === 'codex') {
    const { codexLoginFile } = await import('../../actors/clients/codex/codex-environment.ts');
    return [codexLoginFile(environment)];
  }
  const { claudeLoginFile } = await import('../../actors/clients/claude/claude-environment.ts');
  return [claudeLoginFile(environment)];
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
  const own = { ...options, program, ...given('model', model), ...given('effort', effort) };
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
  const { findAcp } = await import('../../actors/clients/acp/find-acp.ts');
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
