import type { Finding } from '../model/finding.ts';
import { validatePool } from './validate-pool.ts';
import { validateAgent, validateFilesWork } from './validate-workspaces.ts';
import type { RetryPolicy, UnitWork, Work, Workflow, WorkState } from '../model/workflow.ts';

/** Names and numbers inside the work of a state. */
export function validateWork(workflow: Workflow, state: WorkState): readonly Finding[] {
  const path = `states.${state.name}`;
  const findings = state.work.kind === 'pool' ? [...validatePool(state, state.work)] : [];
  for (const { work, place } of works(state.work, `${path}.work`)) {
    findings.push(...validateOne(workflow, work, place));
    if (state.work.kind === 'pool' && work.kind === 'compute' && work.keeps !== undefined) {
      const message = `A unit of the pool "${state.name}" keeps "${work.keeps}", which units at the same time would overwrite.`;
      findings.push({ code: 'KEEPS_IN_POOL', message, path: place, hint: 'Keep it in a state after the pool.' });
    }
  }
  if (state.retry !== null) {
    findings.push(...validateRetry(state.retry, `${path}.retry`), ...validateRetried(state, `${path}.retry`));
  }
  return findings.map((finding) => ({ at: state.at, ...finding }));
}

interface PlacedWork {
  readonly work: Work | UnitWork;
  readonly place: string;
}

function works(work: Work, place: string): readonly PlacedWork[] {
  if (work.kind === 'choice') {
    return Object.entries(work.cases).map(([name, one]) => ({ work: one, place: `${place}.cases.${name}` }));
  }
  if (work.kind !== 'pool') return [{ work, place }];
  if (work.units.kind === 'items') return works(work.units.work, `${place}.units.work`);
  return work.units.list.flatMap((unit, index) => works(unit.work, `${place}.units[${index}]`));
}

function validateOne(workflow: Workflow, work: Work | UnitWork, path: string): readonly Finding[] {
  switch (work.kind) {
    case 'turn':
      return validateAgent(workflow.agents, work.agent, path);
    case 'compute':
      return work.agent === undefined ? [] : validateAgent(workflow.agents, work.agent, path);
    case 'merge':
    case 'command':
      return validateFilesWork(workflow, work, path);
    default:
      return [];
  }
}

/** Only model calls are retried. A retry without effect is a mistake of the author (L3). */
function validateRetried(state: WorkState, path: string): readonly Finding[] {
  if (works(state.work, path).some(({ work }) => work.kind === 'turn' && work.mode === 'ask')) return [];
  const message = `The state "${state.name}" has a retry, but no agent, so nothing would be tried again.`;
  const hint = 'Take the retry away, or go back to the state from its `on` handlers.';
  return [{ code: 'RETRY_WITHOUT_TURN', message, path, hint }];
}

function validateRetry(retry: RetryPolicy, path: string): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [name, tries] of Object.entries(retry.tries)) {
    if (Number.isSafeInteger(tries) && tries > 0) continue;
    findings.push({ code: 'LIMIT_INVALID', message: `The tries for "${name}" must be a whole number above 0.`, path });
  }
  if (!(retry.baseMs >= 0) || !(retry.maxMs >= retry.baseMs)) {
    findings.push({
      code: 'LIMIT_INVALID',
      message: 'The waits of a retry must not be negative, and the longest not shorter than the first.',
      path,
    });
  }
  return findings;
}
