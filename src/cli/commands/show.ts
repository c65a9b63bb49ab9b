import { existsSync } from 'node:fs';
import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { flag, word } from '../invocation.ts';
import { findRun } from '../session/find-run.ts';
import { forksOf } from '../session/forks.ts';
import { runPicture } from '../session/run-picture.ts';
import { runFolder } from '../session/run-folder-path.ts';
import { withStore } from '../session/store.ts';
import { age, counted, localTime, money, tokens } from '../terminal/amounts.ts';
import { paintFor, type Paint } from '../terminal/colour.ts';
import { outcomeText } from '../terminal/outcome-text.ts';
import { oneLine, plainText } from '../terminal/plain-text.ts';

/** `troupe show RUN`: where a run stands, from the journal alone. */
export async function showCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const view = await withStore(terminal, async ({ journal, home }) => {
    const info = await findRun(journal, word(invocation, 0) ?? 'last', invocation.terminal.folder);
    const [picture, forks] = await Promise.all([
      runPicture(journal, info.run, runFolder(home, info.run)),
      forksOf(journal, info.run),
    ]);
    return forks.length === 0 ? picture : { ...picture, forks };
  });
  const paint = paintFor(terminal.stdout, terminal.environment);
  terminal.stdout.write(`${flag(invocation, 'json') ? JSON.stringify(view) : showText(view, paint)}\n`);
  return EXIT.ok;
}

function showText(view: RunView, paint: Paint): string {
  const lines = [
    `${paint('bold', view.run)}  ${view.workflow}`,
    field('status', statusText(view)),
    field('started', `${localTime(view.startedAt)}, took ${age(view.updatedAt - view.startedAt)}`),
    field('states', statesText(view.states)),
    field('used', `${tokens(view.usage)} in ${counted(view.usage.calls, 'call')}, ${money(view.costUsd)}`),
    field('project', view.project),
    field('folder', folderText(view.folder)),
    ...filesFields(view),
    ...(view.children.length === 0 ? [] : [field('children', view.children.join(', '))]),
    ...view.contexts.map((context) =>
      field('context', `${context.name}: ${counted(context.messages.length, 'message')}`),
    ),
    ...errorTexts(view).map((text) => field('error', text)),
    ...view.questions.map((question) => field('question', `${question.id}: ${oneLine(question.text, 400)}`)),
    ...outputLines(view),
  ];
  return lines.join('\n');
}

/** Where it comes from, what keeps its commands in, and what became of its files. */
function filesFields({ forkedFrom, forks = [], held, sandbox, workspaces = {}, projectChange }: RunView) {
  const others = Object.keys(workspaces).filter((name) => name !== MAIN_WORKSPACE);
  return [
    ...(sandbox === undefined ? [] : [field('sandbox', sandbox)]),
    ...(others.length === 0 ? [] : [field('also', `workspaces ${others.join(', ')}`)]),
    ...(projectChange === undefined ? [] : [field('files', projectText(projectChange))]),
    ...(held === undefined ? [] : [field('paused', oneLine(`by ${held.by}: ${held.reason}`, 400))]),
    ...(forkedFrom === undefined ? [] : [field('parent', `${forkedFrom.run}, forked at record ${forkedFrom.seq}`)]),
    ...(forks.length === 0 ? [] : [field('forks', forks.join(', '))]),
  ];
}

function projectText({ how, by, seq, kept }: NonNullable<RunView['projectChange']>): string {
  const what = how === 'applied' ? 'put into the project' : 'taken out of the project again';
  const left = kept.length === 0 ? '' : `, ${counted(kept.length, 'path')} kept`;
  return oneLine(`${what} by ${by} (record ${seq})${left}`, 400);
}

const field = (name: string, value: string): string => `${name.padEnd(9)} ${value}`;

function statusText(view: RunView): string {
  if (view.status !== 'settled')
    return view.status === 'running' && !view.driven ? 'stopped (can be resumed)' : view.status;
  return oneLine(outcomeText(view.outcome ?? 'settled', view.failure), 400);
}

const MOST_STATES = 30;

/** A state that follows itself is told once, with how often. */
function statesText(states: readonly string[]): string {
  const groups: { readonly name: string; times: number }[] = [];
  for (const name of states) {
    const last = groups.at(-1);
    if (last?.name === name) last.times += 1;
    else groups.push({ name, times: 1 });
  }
  const texts = groups.slice(-MOST_STATES).map(({ name, times }) => withTimes(name, times));
  return [...(groups.length > MOST_STATES ? ['…'] : []), ...texts].join(' → ');
}

/** Each error once, with how often it came. */
function errorTexts({ errors }: RunView): readonly string[] {
  const counts = new Map<string, number>();
  for (const { state, code, message } of errors) {
    const text = oneLine(`${state}: ${code}: ${message}`, 400);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, times]) => withTimes(text, times));
}

const withTimes = (text: string, times: number): string => (times === 1 ? text : `${text} ×${times}`);

function outputLines(view: RunView): readonly string[] {
  if (view.output === null) return [];
  return ['', typeof view.output === 'string' ? plainText(view.output) : JSON.stringify(view.output, null, 2)];
}

/** Agents that only talk never make one. */
function folderText(folder: string | null): string {
  if (folder === null) return 'none';
  return existsSync(folder) ? folder : `${folder} (not made: no agent has used a tool)`;
}
