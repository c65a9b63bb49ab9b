import type { Expression } from '../../core/expression.ts';
import type { CallWork, TurnWork, Work } from '../../core/workflow.ts';
import type { SourcePath } from '../source/source-path.ts';
import { checkAction } from './check-action.ts';
import { checkAgent } from './check-agent.ts';
import { lowerCode } from './lower-code.ts';
import { lowerCommand, lowerDiff, lowerMerge } from './lower-files-work.ts';
import { lowerAsk, lowerInputs, lowerPool } from './lower-many-work.ts';
import type { LoweringScope } from './lower-workflow.ts';
import type { ActionDocument } from './action-schema.ts';
import type { StateDocument } from './workflow-schema.ts';

/** What a state does after its script: an agent's turn, several turns at once, one of the other kinds of work, or nothing. */
export function lowerWork(state: StateDocument, path: SourcePath, scope: LoweringScope): Work {
  const action = state.action ?? {};
  if (!scope.trimmed.has(state)) checkAction(state, path, scope);
  const work = lowerAction(action, [...path, 'action'], scope);
  if (work !== null) return work;
  if (action.function === 'script') return { kind: 'none' };
  if (state.agents !== undefined) return lowerSeveral(state, path, scope);
  if (state.agent === undefined) return { kind: 'none' };
  checkAgent(state.agent, [...path, 'agent'], scope);
  return { ...turn(state.agent, action.function, lowerInput(state, path, scope)), ...lowerDemands(state, path, scope) };
}

/** Work that no agent of the state does, where it has any. */
function lowerAction(action: ActionDocument, path: SourcePath, scope: LoweringScope): Work | null {
  if (action.sub_workflow !== undefined) return lowerCall(action.sub_workflow, action, { path, scope });
  if (action.command !== undefined) return lowerCommand(action.command, [...path, 'command'], scope);
  if (action.merge !== undefined) return lowerMerge(action.merge, [...path, 'merge'], scope);
  if (action.ask !== undefined) return lowerAsk(action.ask, [...path, 'ask'], scope);
  if (action.pool !== undefined) return lowerPool(action.pool, [...path, 'pool'], scope);
  return action.diff === undefined ? null : lowerDiff(action.diff, [...path, 'diff'], scope);
}

type Mode = TurnWork['mode'];

const MODES: Readonly<Record<string, Mode>> = {
  sendUserMessage: 'ask',
  addUserMessage: 'tell',
  clearConversation: 'clear',
};

function turn(agent: string, name: string | undefined, input: Expression | null): TurnWork {
  return { kind: 'turn', agent, mode: MODES[name ?? 'sendUserMessage'] ?? 'ask', input };
}

function lowerSeveral(state: StateDocument, path: SourcePath, scope: LoweringScope): Work {
  const agents = state.agents ?? [];
  for (const [index, agent] of agents.entries()) {
    checkAgent(agent, [...path, 'agents', index], scope);
    if (agents.indexOf(agent) !== index) {
      scope.report.error('AGENT_DUPLICATE', `The agent "${agent}" is named twice.`, {
        path: [...path, 'agents', index],
      });
    }
  }
  const input = lowerInput(state, path, scope);
  const demands = lowerDemands(state, path, scope);
  const list = agents.map((agent) => ({
    id: agent,
    after: [],
    work: { ...turn(agent, state.action?.function, input), ...demands },
  }));
  return { kind: 'pool', units: { kind: 'fixed', list }, slots: agents.length, join: { rule: 'all' }, grow: null };
}

function lowerCall(
  workflow: string,
  action: ActionDocument,
  { path, scope }: { readonly path: SourcePath; readonly scope: LoweringScope },
): CallWork {
  const input = lowerInputs(action.sub_workflow_input, [...path, 'sub_workflow_input'], scope);
  const { sub_workflow_workspace: workspace } = action;
  return { kind: 'call', workflow, input, ...(workspace === undefined ? {} : { workspace }) };
}

function lowerInput(state: StateDocument, path: SourcePath, scope: LoweringScope): Expression | null {
  return state.input === undefined ? null : lowerCode(state.input, [...path, 'input'], scope);
}

/** Which step the agent speaks for, what must be seen before its word is taken (L4), and what ends its turn (A4). */
function lowerDemands(
  { step, evidence, reply, allowed, changes }: StateDocument,
  path: SourcePath,
  scope: LoweringScope,
): Pick<TurnWork, 'step' | 'evidence' | 'reply' | 'allowed' | 'changes'> {
  const id = step === undefined ? null : lowerCode(step, [...path, 'step'], scope);
  const { files, commands } = evidence ?? {};
  const seen = {
    ...optional('files', files === undefined ? null : lowerCode(files, [...path, 'evidence', 'files'], scope)),
    ...optional(
      'commands',
      commands === undefined ? null : lowerCode(commands, [...path, 'evidence', 'commands'], scope),
    ),
  };
  const owed = typeof reply === 'string' ? [reply] : reply;
  return {
    ...optional('step', id),
    ...(evidence === undefined ? {} : { evidence: seen }),
    ...(owed === undefined ? {} : { reply: owed }),
    ...(allowed === undefined ? {} : { allowed: lowerInputs(allowed, [...path, 'allowed'], scope) }),
    ...(changes === undefined ? {} : { changes: lowerChanges(changes, [...path, 'changes'], scope) }),
  };
}

function lowerChanges(
  changes: NonNullable<StateDocument['changes']>,
  path: SourcePath,
  scope: LoweringScope,
): NonNullable<TurnWork['changes']> {
  if (changes === 'required') return {};
  const { when, unless } = changes;
  return {
    ...optional('when', when === undefined ? null : lowerCode(when, [...path, 'when'], scope)),
    ...(unless === undefined ? {} : { unless }),
  };
}

const optional = <Key extends string>(key: Key, value: Expression | null): Partial<Record<Key, Expression>> =>
  value === null ? {} : ({ [key]: value } as Record<Key, Expression>);
