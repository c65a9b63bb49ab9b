import type { CommandRun } from '../../../core/model/effect.ts';
import type { Evidence } from '../../../core/record/agent-fact.ts';
import type { TaskDone } from '../../../core/model/event.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import { diffTrees } from '../../../workspace/changes/diff-trees.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { checkEvidence } from '../replies/evidence.ts';
import type { EffectContext } from '../../world.ts';
import { workDiffText } from './work-diff-text.ts';

/**
 * The changes of a workspace since it was created or last merged, as text for an agent: the real diff, never a claim. No
 * changes is a sentence too, since an empty text says nothing.
 */
export async function diffSinceStart(context: EffectContext, effect: CommandRun): Promise<TaskDone> {
  const { world, snapshot, definition, places } = context;
  const { task } = effect;
  const agent = definition.workflow.agents.find(({ name }) => name === effect.agent) ?? null;
  const request = { name: workspaceOf(snapshot, agent), from: snapshot.workspace, task };
  const { files, tested } = await places.write(context, request, async (writing) => {
    writing.touched([]);
    const tests = effect.builtin === 'diff and tests' ? await testsText(context, writing.workspace) : '';
    return { files: writing.files, tested: tests };
  });
  const store = await world.workspaces.store(snapshot.project);
  const diff = await diffTrees(store, { before: files.base, after: files.tree }, { patch: 'read' });
  return { kind: 'task.done', task, outcome: 'ok', output: `${workDiffText(diff)}${tested}`, failure: null };
}

/** A failed test is evidence for the judge of the work, not the end of the run (A7). */
async function testsText(context: EffectContext, workspace: Workspace): Promise<string> {
  const { world, snapshot } = context;
  const commands = (await world.testCommands?.(snapshot.project)) ?? [];
  const { evidence } = await checkEvidence(context, { demand: { files: [], commands }, workspace });
  const results = evidence.flatMap((one) => (one.kind === 'command' ? [resultText(one)] : []));
  const known = results.length === 0 ? 'The engine knows no command that tests this project.' : results.join('\n\n');
  return `\n\n# Tests\n\n${known}`;
}

function resultText({ command, exitCode, output }: Extract<Evidence, { kind: 'command' }>): string {
  const end = exitCode === null ? 'it did not end by itself' : `exit code ${exitCode}`;
  const lines = output.trim() === '' ? 'It printed nothing.' : `It ended with:\n\n${output.slice(-MOST_TEST_CHARS)}`;
  return `The engine ran \`${command}\` on these files: ${end} (${exitCode === 0 ? 'passed' : 'FAILED'}). ${lines}`;
}

const MOST_TEST_CHARS = 4000;
