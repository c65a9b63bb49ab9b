import type { ClientProbe } from '../../actors/client-port.ts';
import type { ClientChoice } from '../config/choose-actor.ts';
import { acpAgent } from './acp-agent.ts';
import { clientProgram } from './client-program.ts';

/** What can be said of a client without asking anybody outside of this machine. */
export async function probeClient(choice: ClientChoice, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  const probe = await probed(choice, environment);
  const named = choice.kind === 'acp' ? choice.settings?.command[0] : choice.settings.program;
  if (probe.isFound || named === undefined) return probe;
  return { ...probe, problem: `There is no program ${named}.`, hint: 'Mend the setting, or leave it out.' };
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
