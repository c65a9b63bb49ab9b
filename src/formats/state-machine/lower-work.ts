import type { Expression } from '../../core/model/expression.ts';
import type { AskWork, CallWork, CommandWork, MergeWork, PoolWork, TurnWork, Work } from '../../core/model/workflow.ts';
import { defined } from '../../source/defined.ts';
import { diffWork, type ExpressionsBy, joinOf } from '../../source/model-parts.ts';
import type { SourcePath } from '../../source/place.ts';
import { checkAction } from './check-action.ts';
import { checkAgent, lowerCode, lowerGrow } from './lower-code.ts';
import type { LoweringScope } from './lowering-scope.ts';
import type {
  ActionDocument,
  AskDocument,
  CommandDocument,
  DiffDocument,
  MergeDocument,
  PoolDocument,
} from './action-schema.ts';
import type { StateDocument } from './workflow-schema.ts';

/** Work on files that no agent does: the engine's own commands, what was changed, and bringing a workspace home. */

function lowerCommand(document: CommandDocument, path: SourcePath, scope: LoweringScope): CommandWork {
  const { run, ok_exit_codes: okExitCodes = [0], agent, network, holds, repeat } = document;
  if (agent !== undefined) checkAgent(agent, [...path, 'agent'], scope);
  return {
    kind: 'command',
    command: lowerCode(run, [...path, 'run'], scope) ?? UNREADABLE,
    okExitCodes,
    ...defined({ repeat, agent, network, holds }),
  };
}

function lowerMerge(document: MergeDocument, path: SourcePath, scope: LoweringScope): MergeWork {
  const { agent, unit, verify, checks, report_overlap: isReported } = document;
  if (agent !== undefined) checkAgent(agent, [...path, 'agent'], scope);
  if (agent !== undefined && unit !== undefined) {
    const where = { path: [...path, 'unit'], part: 'key' } as const;
    scope.report.error('ACTION_CONFLICT', 'A merge brings in the files of an "agent" or of a "unit", not both.', where);
  }
  const overlap = isReported === true ? ({ reportsOverlap: true } as const) : {};
  return { kind: 'merge', agent: agent ?? null, ...lowerGiven({ unit, verify, checks }, path, scope), ...overlap };
}

function lowerDiff(document: DiffDocument, path: SourcePath, scope: LoweringScope): CommandWork {
  if (document.agent !== undefined) checkAgent(document.agent, [...path, 'agent'], scope);
  return diffWork(document);
}

/** An unreadable expression is reported already, and the workflow is not returned. */
const UNREADABLE: Expression = { kind: 'undefined' };

function lowerAsk({ question, choices = [], approves }: AskDocument, path: SourcePath, scope: LoweringScope): AskWork {
  return {
    kind: 'ask',
    question: lowerCode(question, [...path, 'question'], scope) ?? UNREADABLE,
    choices: typeof choices === 'string' ? (lowerCode(choices, [...path, 'choices'], scope) ?? UNREADABLE) : choices,
    ...(approves === undefined ? {} : { approves }),
  };
}

const DEFAULT_SLOTS = 3;

function lowerPool(document: PoolDocument, path: SourcePath, scope: LoweringScope): PoolWork {
  const { items, workflow, workspace, grow, slots = DEFAULT_SLOTS, join = 'all' } = document;
  const own = workspace === undefined ? {} : { workspace };
  return {
    kind: 'pool',
    units: {
      kind: 'items',
      items: lowerCode(items, [...path, 'items'], scope) ?? UNREADABLE,
      work: { kind: 'call', workflow, input: lowerGiven(document.input ?? {}, [...path, 'input'], scope), ...own },
    },
    slots,
    join: joinOf(join),
    grow: grow === undefined ? null : lowerGrow(grow, [...path, 'grow'], scope),
  };
}

/** A state's work after its script: an agent's turn, several turns at once, another kind of work, or none. */
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
  const input = lowerGiven(action.sub_workflow_input ?? {}, [...path, 'sub_workflow_input'], scope);
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
  const seen = lowerGiven({ ...evidence }, [...path, 'evidence'], scope);
  const owed = typeof reply === 'string' ? [reply] : reply;
  return {
    ...lowerGiven({ step }, path, scope),
    ...(evidence === undefined ? {} : { evidence: seen }),
    ...(owed === undefined ? {} : { reply: owed }),
    ...(allowed === undefined ? {} : { allowed: lowerGiven(allowed, [...path, 'allowed'], scope) }),
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
    ...lowerGiven({ when }, path, scope),
    ...defined({ unless }),
  };
}

/** The expressions that are given and can be read, by key. */
function lowerGiven<Key extends string>(
  given: Readonly<Partial<Record<Key, string | undefined>>>,
  path: SourcePath,
  scope: LoweringScope,
): ExpressionsBy<Key> {
  const entries = Object.entries<string | undefined>(given).flatMap(([key, text]) => {
    const read = text === undefined ? null : lowerCode(text, [...path, key], scope);
    return read === null ? [] : [[key, read] as const];
  });
  return Object.fromEntries(entries) as ExpressionsBy<Key>;
}
