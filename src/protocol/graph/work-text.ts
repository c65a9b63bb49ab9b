import type { AgentSpec, MergeWork, Work } from '../../core/model/workflow.ts';
import { expressionText } from './expression-text.ts';

/** Describes a state's work in a few words. */
export function workText(work: Work, agents: readonly AgentSpec[] = []): string {
  switch (work.kind) {
    case 'none':
      return '';
    case 'turn':
      return `${work.mode === 'ask' ? '' : `${work.mode} `}${work.agent}${placeOf(work.agent, agents)}`;
    case 'command':
      return `${work.builtin ?? 'command'}${placeOf(work.agent, agents)}`;
    case 'call':
      return `call ${work.workflow}${inPlace(work.workspace)}`;
    case 'merge':
      return mergeText(work);
    case 'pool':
      return `pool, join ${work.join.rule}`;
    default:
      return work.kind;
  }
}

/** Where the files are, unless they are those of the run. */
function placeOf(name: string | undefined, agents: readonly AgentSpec[]): string {
  return inPlace(agents.find((agent) => agent.name === name)?.workspace);
}

function inPlace(workspace = 'shared'): string {
  if (workspace === 'shared') return '';
  return workspace === 'own' ? ' in its own workspace' : ` in workspace ${workspace}`;
}

function mergeText({ agent, unit, verify }: MergeWork): string {
  const whole = agent === null ? 'merge into the caller' : `merge ${agent}`;
  const what = unit === undefined ? whole : `merge unit ${expressionText(unit)}`;
  return verify === undefined ? what : `${what}, verify ${expressionText(verify)}`;
}
