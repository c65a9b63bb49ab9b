import { toArray } from '../../../core/model/append-list.ts';
import { exitLine } from '../../../core/fold/cleared-result.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import { diffTrees } from '../../../workspace/changes/diff-trees.ts';
import type { EffectContext } from '../../world.ts';
import { rootOf } from '../files/places.ts';
import type { Speaker } from '../turn/who-speaks.ts';

/** What the engine knows itself, in addition to an agent's summary: the files changed, and how its last command ended. */
export async function engineNotes(context: EffectContext, speaker: Speaker): Promise<string> {
  const notes = [...(await changedFiles(context, speaker)), ...lastCommand(speaker)];
  return notes.length === 0 ? '' : ['Seen by the engine:', ...notes.map((note) => `- ${note}`)].join('\n');
}

const MOST_FILES = 40;

async function changedFiles(context: EffectContext, { agent }: Speaker): Promise<readonly string[]> {
  const { places, run, snapshot, world } = context;
  if (!world.workspaces.keepsFiles) return [];
  const files = (await places.known(rootOf(run))).get(workspaceOf(snapshot, agent));
  if (files === undefined || files.tree === files.base) return ['Files changed so far: none'];
  const store = await world.workspaces.store(snapshot.project);
  const { stat } = await diffTrees(store, { before: files.base, after: files.tree });
  const shown = stat.files.slice(0, MOST_FILES).map(({ path, added, removed }) => {
    return `${shownPath(Buffer.from(path, 'latin1'))} +${added} -${removed}`;
  });
  const more = stat.files.length - shown.length;
  return [`Files changed so far: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`];
}

/** Leaves out a command that was not run, or was stopped. */
function lastCommand({ turn }: Speaker): readonly string[] {
  const messages = toArray(turn.messages);
  const calls = messages.flatMap(({ toolCalls }) => toolCalls ?? []);
  const call = calls.findLast(({ name }) => name === 'execute_terminal');
  const result = messages.find(({ toolCallId }) => call !== undefined && toolCallId === call.id);
  const { command } = (call?.arguments ?? {}) as { readonly command?: string };
  const exit = result === undefined ? null : exitLine(result.content);
  if (exit === null || typeof command !== 'string') return [];
  return [`Last command: ${command.slice(0, 200)} (${exit.toLowerCase()})`];
}
