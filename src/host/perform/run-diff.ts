import type { CommandRun } from '../../core/effect.ts';
import type { TaskDone } from '../../core/event.ts';
import { workspaceOf } from '../../core/workspace-name.ts';
import { diffTrees, withoutObjectIds, type TreeDiff } from '../../workspace/changes/diff-trees.ts';
import { shownPath } from '../../lib/confined-path.ts';
import type { Performance } from './performance.ts';

/** More is nothing an agent could read; what is left out is named. */
const MOST_CHARS = 40_000;

/** More files than these are counted. */
const MOST_FILES = 200;

/**
 * What a workspace holds that it did not begin with, or did not have when it was last merged, as text for an agent: the real
 * diff, never what somebody says of it. Nothing changed is a sentence too, since an empty text says nothing.
 */
export async function runDiff(performance: Performance, effect: CommandRun): Promise<TaskDone> {
  const { world, snapshot, definition, places } = performance;
  const { task } = effect;
  const agent = definition.workflow.agents.find(({ name }) => name === effect.agent) ?? null;
  const wanted = { name: workspaceOf(snapshot, agent), from: snapshot.workspace, task };
  const { tree, base } = await places.write(performance, wanted, async (writing) => {
    writing.touched([]);
    return writing.files;
  });
  const store = await world.workspaces.store(snapshot.project);
  const output = workDiffText(await diffTrees(store, { before: base, after: tree }, { patch: 'read' }));
  return { kind: 'task.done', task, outcome: 'ok', output, failure: null };
}

/** The parts of a diff that a text needs. */
type ShownDiff = { readonly changes: readonly Pick<TreeDiff['changes'][number], 'path'>[] } & {
  readonly stat: Pick<TreeDiff['stat'], 'files'>;
  readonly patch: Buffer;
};

export function workDiffText({ changes, stat, patch }: ShownDiff): string {
  if (changes.length === 0) return 'Nothing was changed.';
  const text = withoutObjectIds(patch.toString('utf8').toWellFormed());
  const counted = new Map(stat.files.map((file) => [file.path, file]));
  const list = changes.slice(0, MOST_FILES).map(({ path }) => {
    const { added = 0, removed = 0, isBinary = false } = counted.get(path) ?? {};
    return `${shownPath(Buffer.from(path, 'latin1'))} ${isBinary ? '(binary)' : `+${added} -${removed}`}`;
  });
  if (changes.length > MOST_FILES) list.push(`[… ${changes.length - MOST_FILES} more files]`);
  const head = `${changes.length} changed:\n${list.join('\n')}`;
  if (text.length <= MOST_CHARS) return `${head}\n\n${text}`;
  const shown = text.slice(0, text.lastIndexOf('\n', MOST_CHARS));
  const left = text.length - shown.length;
  return `${head}\n\n${shown}\n[… ${left} more characters; read these files yourself]`;
}
