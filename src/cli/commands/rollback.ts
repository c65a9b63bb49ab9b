import { Fault } from '../../core/fault.ts';
import type { Rewound } from '../../host/port.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { confirmed } from '../files/confirm.ts';
import { keptLines } from '../files/conflict-lines.ts';
import { undoInProject, type UndoneProject } from '../../app/results/project-undo.ts';
import { rollbackLines } from '../files/rollback-lines.ts';
import { planRollback, type RollbackPlan, type RollbackRequest } from '../../app/results/rollback-plan.ts';
import { movedText } from '../../app/results/step-option.ts';
import { refuseDriven } from '../../host/deliver/run-result.ts';
import { withRun } from '../files/with-run.ts';
import { flag, textOptions } from '../invocation.ts';
import { personName } from '../../app/runs/person-name.ts';
import type { Driving } from '../session/driving.ts';
import { paintFor } from '../terminal/colour.ts';

/** `troupe rollback RUN [--to STEP]`: shows what would go back, asks, and puts it back. Itself undone by another rollback. */
export async function rollbackCommand(invocation: Invocation): Promise<number> {
  const { stderr, stdout, environment } = invocation.terminal;
  const json = flag(invocation, 'json');
  // Nothing is made ready for work: a setup that fails must not keep anybody from going back.
  const undoing = { ...invocation, options: { ...invocation.options, setup: false } };
  return await withRun(undoing, async (driving, { run }) => {
    await refuseDriven(driving.store.journal, run);
    const plan = await planRollback(driving, run, requestOf(invocation));
    const lines = rollbackLines(plan, paintFor(stderr, environment));
    if (lines.length === 0) {
      stdout.write(json ? `${JSON.stringify({ kind: 'rollback.unchanged', run, to: plan.to })}\n` : '');
      stderr.write(json ? '' : `Nothing to roll back: it is all as it was at record ${plan.to}.\n`);
      return EXIT.ok;
    }
    if (flag(invocation, 'dryRun')) return tellPlan(invocation, plan, lines);
    if (!json)
      stderr.write(`Back to record ${plan.end} of run ${run}:${movedText(plan.to, plan.end)}\n${lines.join('\n')}\n`);
    if (!(await confirmed(invocation, 'Roll it back?'))) return EXIT.ok;
    const done = await rollBack(driving, plan);
    if (json)
      stdout.write(`${JSON.stringify({ kind: 'run.rolled-back', run, to: plan.to, ...done, ...staying(plan) })}\n`);
    else stderr.write(`${doneLines(plan, done).join('\n')}\n`);
    return done.project.conflicts.length > 0 ? EXIT.waits : EXIT.ok;
  });
}

function requestOf(invocation: Invocation): RollbackRequest {
  const [files, conversation] = [flag(invocation, 'files'), flag(invocation, 'conversation')];
  if (files && conversation)
    throw new Fault('USAGE', '--files and --conversation each mean: only this.', { hint: 'For both leave both out.' });
  const only = files ? 'files' : conversation ? 'conversation' : null;
  return { ...textOptions(invocation, ['to']), ...(only === null ? {} : { only }) };
}

/** What would go back is the result here. */
function tellPlan(invocation: Invocation, plan: RollbackPlan, lines: readonly string[]): number {
  const { stdout, stderr } = invocation.terminal;
  const { run, to, end, workspaces, conversation, projectFiles: files, projectConflicts: conflicts } = plan;
  const planned = { kind: 'rollback.plan', run, to, end, project: { files, conflicts }, workspaces, conversation };
  if (flag(invocation, 'json')) stdout.write(`${JSON.stringify(planned)}\n`);
  else {
    stdout.write(`Back to record ${end} of run ${run}:${movedText(to, end)}\n${lines.join('\n')}\n`);
    stderr.write('Nothing was done.\n');
  }
  return EXIT.ok;
}

interface RolledBack extends Rewound {
  readonly project: UndoneProject;
}

/** The run first: what is written down about the project afterwards is then taken back when somebody undoes this. */
async function rollBack(driving: Driving, plan: RollbackPlan): Promise<RolledBack> {
  const { run, project, to, store, conversation, projectChanges } = plan;
  const rewound = await driving.host.rewind(run, {
    to,
    files: store !== null,
    conversation: conversation !== null,
    by: personName(),
  });
  const undone = store === null ? NOTHING : await undoInProject(driving, { run, project, store }, projectChanges);
  return { ...rewound, project: undone };
}

/** Too large for any record, and so not destroyed. */
function staying({ workspaces }: RollbackPlan): { readonly stayed?: readonly object[] } {
  const stayed = workspaces.flatMap(({ workspace, stays }) => stays.map((path) => ({ workspace, path })));
  return stayed.length === 0 ? {} : { stayed };
}

const NOTHING: UndoneProject = { changed: [], conflicts: [] };

function doneLines(plan: RollbackPlan, { undo, project }: RolledBack): readonly string[] {
  const { run, conversation, store } = plan;
  const { conflicts } = project;
  const only = store === null ? ' --conversation' : conversation === null ? ' --files' : '';
  return [
    ...conflicts.flatMap(keptLines),
    conflicts.length === 0 ? 'Rolled back.' : 'Rolled back, save what you changed meanwhile: that is kept as it is.',
    ...(conversation === null || conversation.isSettled ? [] : [`  go on:  troupe resume ${run}`]),
    `  undo:   troupe rollback ${run} --to ${undo}${only}`,
  ];
}
