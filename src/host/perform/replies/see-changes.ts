import type { Evidence } from '../../../core/record/agent-fact.ts';
import { expectedKey } from '../../../core/fold/apply-files.ts';
import { isJsonObject } from '../../../core/model/json.ts';
import type { TreeId } from '../../../core/model/ids.ts';
import type { ToolCall } from '../../../core/model/message.ts';
import { isCompletion, SIGNAL_TOOL } from '../../../core/model/signal.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { EffectContext } from '../../world.ts';
import type { Speaker } from '../turn/who-speaks.ts';

/**
 * The tree that the files of a turn are compared with at its end, if the turn must change some. Recorded before the agent
 * starts. Null if nothing has to change, or no files are known.
 */
export function expectChanges(
  context: EffectContext,
  speaker: Speaker,
  isClient: boolean,
): TreeId | null | Promise<TreeId> {
  const { world, snapshot } = context;
  const { work, task, hasToChange } = speaker;
  if (work.changes === undefined || !hasToChange || !world.workspaces.keepsFiles) return null;
  return work.changes.since ?? snapshot.expected[expectedKey(task) ?? ''] ?? recordNow(context, speaker, isClient);
}

async function recordNow(context: EffectContext, { agent, task }: Speaker, isClient: boolean): Promise<TreeId> {
  const { snapshot } = context;
  const name = workspaceOf(snapshot, agent);
  const own = isClient ? ({ isForClient: true } as const) : {};
  const workspace = await context.places.look(context, {
    name,
    from: snapshot.workspace,
    task: task.id,
    ...own,
  });
  const tree = await workspace.record();
  const fact = { kind: 'changes.expected', task: task.id, tree } as const;
  // A client writes files before its call has a result to record this with.
  if (isClient) await context.noteNow(fact);
  else context.note(fact);
  return tree;
}

/** Whether an answer claims that the work is done: other endings, such as a question, need no changed file. */
export function claimsChanges({ work, turn, expected }: Speaker, call: ToolCall | null): boolean {
  if (work.changes === undefined || expected === undefined) return false;
  const { replies, unless } = work.changes;
  if (call === null) return replies === undefined && isEndedByText(work) && turn.noChange === undefined;
  if (call.name === SIGNAL_TOOL) return isCompletion(call);
  return (replies === undefined || replies.includes(call.name)) && !isStated(call, unless);
}

const isEndedByText = ({ reply = [] }: Speaker['work']): boolean => reply.length === 0;

function isStated({ arguments: given }: ToolCall, name: string | undefined): boolean {
  const value = name !== undefined && isJsonObject(given) ? given[name] : null;
  return value !== undefined && value !== null && value !== false && value !== '';
}

export interface SeenWork {
  readonly workspace: Workspace;
  /** Why the agent says that no change is needed. */
  readonly reason?: string | undefined;
}

/** Compares the files of a turn with those that its step began with. */
export async function seeChanges(
  { world, snapshot }: EffectContext,
  { work, expected, turn }: Speaker,
  { workspace, reason = turn.noChange }: SeenWork,
): Promise<readonly Evidence[]> {
  if (expected === undefined) return [];
  const tree = await workspace.record();
  const store = await world.workspaces.store(snapshot.project);
  const changes = tree === expected ? [] : await store.compare(expected, tree);
  // A submitted report does not count as a change.
  const reports = new Set((work.outputs ?? []).filter(({ form }) => form === 'file').map(({ path }) => path));
  const isChanged = changes.some(({ path }) => !reports.has(Buffer.from(path, 'latin1').toString('utf8')));
  return [{ kind: 'changes', since: expected, isChanged, ...(reason === undefined ? {} : { reason }) }];
}
