import type { CommandRun } from '../../../core/model/effect.ts';
import type { TaskDone } from '../../../core/model/event.ts';
import { COMMAND_REFUSAL } from '../../../core/record/file-doubts.ts';
import { outcomeOf, type Failure } from '../../../core/model/outcome.ts';
import type { RefusedFiles } from '../../../core/record/files-fact.ts';
import type { WorkspaceFiles } from '../../../core/fold/snapshot.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import { commandFailure, type ShellResult } from '../../../tools/shell.ts';
import { commandLimit } from './command-limit.ts';
import { filled } from './filled-command.ts';
import type { EffectContext } from '../../world.ts';
import { holding } from './holding.ts';
import type { WorkspaceWriter } from '../files/workspace-writer.ts';
import { diffSinceStart } from '../files/run-diff.ts';
import { refuseFullDisk } from '../tools/run-tool.ts';

/** Runs a command of the engine. Its exit code is the evidence, never an agent's claim (L4). */
export async function performCommand(context: EffectContext, effect: CommandRun): Promise<TaskDone> {
  if (effect.builtin !== undefined) return await diffSinceStart(context, effect);
  if (context.isRepeat && effect.repeat === 'unsafe') return unknownOutcome(effect);
  const { world, snapshot, definition, signal } = context;
  const { command, task, network = false } = effect;
  const agent = definition.workflow.agents.find(({ name }) => name === effect.agent) ?? null;
  const request = { name: workspaceOf(snapshot, agent), from: snapshot.workspace, task };
  const result = await holding(context, effect.holds ?? [], () =>
    context.places.write(context, request, async (writing) => {
      const { workspace, isAgain } = writing;
      if (isAgain && effect.repeat === 'unsafe') return null;
      const run = { place: workspace, access: 'write', network, signal, ...commandLimit(context, task) } as const;
      await context.begin();
      const ran = await world.shell(filled(command, workspace.resources), run);
      if (ran.exitCode !== 0) refuseFullDisk(workspace);
      await markFiles(writing, command, commandFailure(ran, effect));
      return ran;
    }),
  );
  return result === null ? unknownOutcome(effect, 'Its workspace was deleted') : doneWith(effect, result);
}

/**
 * Files on which a command state failed are no result until they change or the command succeeds on them (L4). Files that the
 * run did not change are not marked: none of them is delivered.
 */
async function markFiles(writing: WorkspaceWriter, command: string, failure: Failure | null): Promise<void> {
  const isKnown = writing.files.refused?.commands.includes(command) === true;
  if (failure === null ? !isKnown : failure.class === 'cancelled') return;
  await writing.name('work');
  const { tree, base } = writing.files;
  if (tree !== base) writing.recordChange({ tree, why: 'work', refused: refusedBy(writing.files, command, failure) });
}

/** The current reason to refuse the files; a refusal by a merge takes precedence. */
function refusedBy(files: WorkspaceFiles, command: string, failure: Failure | null): RefusedFiles | null {
  const { tree, base, refused } = files;
  if (refused !== undefined && refused.code !== COMMAND_REFUSAL) return refused;
  const before = refused ?? { commands: [], why: '' };
  const others = before.commands.filter((one) => one !== command);
  const mark = { code: COMMAND_REFUSAL, tree, openPaths: 0, own: tree, base, paths: [] };
  if (failure !== null) return { ...mark, why: failure.message, commands: [...others, command] };
  return others.length === 0 ? null : { ...mark, why: before.why, commands: others };
}

function doneWith({ task, command, okExitCodes }: CommandRun, result: ShellResult): TaskDone {
  const { exitCode, output } = result;
  const failure = commandFailure(result, { okExitCodes, command });
  const outcome = failure === null ? 'ok' : outcomeOf(failure);
  return { kind: 'task.done', task, outcome, output: { command, exitCode, output }, failure };
}

/** The process that ran it died: it may have happened or not, and only a person can find out. */
function unknownOutcome({ task, command }: CommandRun, what = 'The engine stopped'): TaskDone {
  const failure: Failure = {
    code: 'OUTCOME_UNKNOWN',
    message: `${what} while \`${command}\` was under way, and it must not be run twice.`,
    class: 'crash',
    hint: 'See whether it took effect, then start the run again or handle `crashed` in the workflow.',
  };
  return { kind: 'task.done', task, outcome: 'crashed', output: null, failure };
}
