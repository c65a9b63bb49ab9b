import type { ClientProbe } from '../../actors/client-port.ts';
import type { ClientChoice } from '../config/choose-actor.ts';
import { acpAgent } from './acp-agent.ts';
import { foundProgram } from './found-program.ts';

/** What can be said of a client without asking anybody outside of this machine. */
export async function probeClient(choice: ClientChoice, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  if (choice.kind === 'acp') {
    const { probeAcp } = await import('../../actors/clients/acp/probe-acp.ts');
    return await probeAcp(await acpAgent(choice), environment);
  }
  const found = await foundProgram(choice, environment);
  const { probeClaude } = await import('../../actors/clients/claude/probe-claude.ts');
  return await probeClaude(found, environment);
}
