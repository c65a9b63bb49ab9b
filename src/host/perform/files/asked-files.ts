import type { TaskId, TreeId } from '../../../core/model/ids.ts';
import type { FileMarks } from '../../../core/record/question-fact.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import type { EffectContext } from '../../world.ts';

/**
 * The files that an approval is about, as they are now: those of the agent's workspace for a tool, those of all workspaces
 * that the run has used for a question. Undefined if no files are kept.
 */
export async function askedFiles(context: EffectContext, task: TaskId): Promise<FileMarks | undefined> {
  const { world, places, snapshot } = context;
  if (!world.workspaces.keepsFiles) return undefined;
  const files: Record<string, TreeId> = {};
  for (const name of askedWorkspaces(context, task)) {
    files[name] = await places.now(context, { name, from: snapshot.workspace, task });
  }
  return files;
}

export function askedWorkspaces(
  { snapshot, definition }: Pick<EffectContext, 'snapshot' | 'definition'>,
  task: TaskId,
): ReadonlySet<string> {
  const work = snapshot.tasks[task]?.work;
  if (work?.kind === 'turn') {
    const agent = definition.workflow.agents.find(({ name }) => name === work.agent);
    return new Set([workspaceOf(snapshot, agent ?? null)]);
  }
  return new Set([snapshot.workspace, ...usedBy(snapshot)]);
}

const usedBy = ({ workspaces }: Snapshot): readonly string[] =>
  Object.entries(workspaces).flatMap(([name, { isGone }]) => (isGone === true ? [] : [name]));
