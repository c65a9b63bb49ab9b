import { nameHint } from '../source/closest-name.ts';
import type { SourcePath } from '../source/source-path.ts';
import type { LoweringScope } from './lower-workflow.ts';

/** States name an agent by its role. */
export function checkAgent(agent: string, path: SourcePath, scope: LoweringScope): void {
  if (scope.names.agents.has(agent)) return;
  scope.report.error('AGENT_UNKNOWN', `There is no agent with the agent_role "${agent}".`, {
    path,
    hint: nameHint(agent, [...scope.names.agents]),
  });
}
