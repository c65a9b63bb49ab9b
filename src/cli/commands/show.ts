import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { flag, word } from '../invocation.ts';
import { findRun } from '../session/find-run.ts';
import { runPicture } from '../session/run-picture.ts';
import { existingFolder } from '../session/run-folder-path.ts';
import { withStore } from '../session/store.ts';
import { age, money, tokens } from '../terminal/amounts.ts';
import { paintFor, type Paint } from '../terminal/colour.ts';
import { oneLine, plainText } from '../terminal/plain-text.ts';

/** `troupe show RUN`: where a run stands, from the journal alone. */
export async function showCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const view = await withStore(terminal, async ({ journal, home }) => {
    const info = await findRun(journal, word(invocation, 0) ?? 'last', invocation.terminal.folder);
    return await runPicture(journal, info.run, existingFolder(home, info.run));
  });
  const paint = paintFor(terminal.stdout, terminal.environment);
  terminal.stdout.write(`${flag(invocation, 'json') ? JSON.stringify(view) : showText(view, paint)}\n`);
  return EXIT.ok;
}

function showText(view: RunView, paint: Paint): string {
  const lines = [
    `${paint('bold', view.run)}  ${view.workflow}`,
    field('status', statusText(view)),
    field('started', `${new Date(view.startedAt).toISOString()}, took ${age(view.updatedAt - view.startedAt)}`),
    field('states', view.states.slice(-30).join(' → ')),
    field('used', `${tokens(view.usage)} in ${view.usage.calls} calls, ${money(view.costUsd)}`),
    field('project', view.project),
    field('folder', view.folder ?? 'none yet'),
    ...(view.children.length === 0 ? [] : [field('children', view.children.join(', '))]),
    ...view.contexts.map((context) => field('context', `${context.name}: ${context.messages.length} messages`)),
    ...view.errors.map((error) => field('error', oneLine(`${error.state}: ${error.code}: ${error.message}`, 400))),
    ...view.questions.map((question) => field('question', `${question.id}: ${oneLine(question.text, 400)}`)),
    ...outputLines(view),
  ];
  return lines.join('\n');
}

const field = (name: string, value: string): string => `${name.padEnd(9)} ${value}`;

function statusText(view: RunView): string {
  if (view.status !== 'settled')
    return view.status === 'running' && !view.driven ? 'stopped (can be resumed)' : view.status;
  const why = view.failure === null ? '' : oneLine(`, ${view.failure.code}: ${view.failure.message}`, 400);
  return `${view.outcome}${why}`;
}

function outputLines(view: RunView): readonly string[] {
  if (view.output === null) return [];
  return ['', typeof view.output === 'string' ? plainText(view.output) : JSON.stringify(view.output, null, 2)];
}
