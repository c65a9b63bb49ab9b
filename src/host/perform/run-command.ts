import type { Effect } from '../../core/effect.ts';
import type { TaskDone } from '../../core/event.ts';
import { outcomeOf, type Failure } from '../../core/outcome.ts';
import { rootOf, type Performance } from './performance.ts';

type CommandRun = Extract<Effect, { kind: 'command.run' }>;

/** The engine's own command. Its exit code is the evidence, never what an agent says of it (L4). */
export async function runCommand(performance: Performance, effect: CommandRun): Promise<TaskDone> {
  const { world, run, snapshot, signal } = performance;
  if (performance.isRepeat && effect.repeat === 'unsafe') return unknownOutcome(effect);
  const folder = await world.folderFor(rootOf(run), snapshot.project);
  const { exitCode, output, failure } = await world.runCommand(effect.command, { folder, signal });
  const task = effect.task;
  const evidence = { command: effect.command, exitCode, output };
  if (failure !== null) return { kind: 'task.done', task, outcome: outcomeOf(failure), output: evidence, failure };
  if (exitCode !== null && effect.okExitCodes.includes(exitCode)) {
    return { kind: 'task.done', task, outcome: 'ok', output: evidence, failure: null };
  }
  const message = `The command \`${effect.command}\` ended with exit code ${exitCode}.`;
  return {
    kind: 'task.done',
    task,
    outcome: 'failed',
    output: evidence,
    failure: { code: 'COMMAND_FAILED', message, class: 'logic' },
  };
}

/** The process that ran it died: it may have happened or not, and only a person can tell. */
function unknownOutcome({ task, command }: CommandRun): TaskDone {
  const failure: Failure = {
    code: 'OUTCOME_UNKNOWN',
    message: `The engine stopped while \`${command}\` was under way, and it must not be run twice.`,
    class: 'crash',
    hint: 'See whether it took effect, then start the run anew or handle `crashed` in the workflow.',
  };
  return { kind: 'task.done', task, outcome: 'crashed', output: null, failure };
}
