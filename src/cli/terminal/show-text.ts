import { changeSentence } from '../../protocol/definition-view.ts';
import { costText, durationText, timeText } from '../../core/look/amount-text.ts';
import { cachedPercent, type Usage } from '../../core/model/usage.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { leftOutText } from '../files/left-out.ts';
import { agentFields, isClientView, phaseFields } from './agent-fields.ts';
import { answerWords } from '../../protocol/answer-words.ts';
import { counted, localTime, tokens } from '../../protocol/amounts.ts';
import type { Paint } from './colour.ts';
import { redactedText } from './files-story.ts';
import { outcomeText } from '../../protocol/outcome-text.ts';
import { overlapText } from '../../protocol/overlap-view.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';
import { resultSuffix, statusWord } from '../../protocol/status-word.ts';
import { resultFields, workspaceWords } from './result-fields.ts';
import { choiceTexts, questionLines } from './story-line.ts';
import { valueText } from './end-text.ts';

/** Where a run stands, a field a line, then what came out of it. */
export function showText(view: RunView, paint: Paint): string {
  const lines = [
    `${paint('bold', view.run)}  ${view.workflow}`,
    ...(view.title === undefined ? [] : [field('about', oneLine(view.title, 120))]),
    ...originFields(view),
    field('status', statusText(view)),
    field('started', startedText(view)),
    field('states', statesText(view.states)),
    field('used', usedText(view)),
    ...(view.inherited === undefined ? [] : [field('inherited', `${usedText(view.inherited)}, paid before the fork`)]),
    field('project', view.project),
    ...definitionFields(view),
    ...(view.written === undefined ? [] : [field('written', view.written)]),
    ...folderFields(view),
    ...filesFields(view),
    ...(view.overlaps ?? []).map((one) => field('overlap', oneLine(overlapText(one), 400))),
    ...waitingFields(view),
    ...phaseFields(view.run, view.workflow_state, view.agents ?? []).map(([name, value]) => field(name, value)),
    ...agentFields((view.agents ?? []).filter(isClientView), Date.now()).map(([name, value]) => field(name, value)),
    ...(view.children.length === 0 ? [] : [field('children', view.children.join(', '))]),
    ...view.contexts.map((context) =>
      field('context', `${context.name}: ${counted(context.messages.length, 'message')}`),
    ),
    ...(view.compacted ?? []).map((text) => field('compacted', text.replace('compacted: ', ''))),
    ...errorTexts(view).map((text) => field('error', text)),
    ...questionFields(view),
    ...outputLines(view),
  ];
  return lines.join('\n');
}

const usedText = ({ usage, costUsd }: Pick<RunView, 'usage' | 'costUsd'>): string =>
  `${tokens(usage)} in ${counted(usage.calls, 'call')}${cachedText(usage)}, ${costText(costUsd)}`;

const cachedText = (usage: Usage): string =>
  usage.cacheReadTokens === 0 ? '' : `, ${cachedPercent(usage)}% of the input from cache`;

const field = (name: string, value: string): string => `${name.padEnd(9)} ${value}`;

function originFields({ forkedFrom, forks = [], schedule }: RunView): readonly string[] {
  return [
    ...(schedule === undefined ? [] : [field('schedule', `${schedule.name}, for ${timeText(schedule.at)}`)]),
    ...(forkedFrom === undefined ? [] : [field('fork of', `${forkedFrom.run} at record ${forkedFrom.seq}`)]),
    ...(forks.length === 0 ? [] : [field('forks', forks.join(', '))]),
  ];
}

function statusText(view: RunView): string {
  if (view.status !== 'settled') {
    const word = statusWord(view);
    if (view.queued !== undefined) return oneLine(`${word}: ${view.queued.text}`, 400);
    return word === 'stopped' ? `${word} (can be resumed)` : word;
  }
  const outcome = view.outcome ?? 'settled';
  return oneLine(`${outcome}${resultSuffix(view)}${outcomeText(outcome, view.failure).slice(outcome.length)}`, 400);
}

/** Time at work; waiting for a person and pauses apart. */
function startedText({ startedAt, time: { workedMs, waitedMs, pausedMs }, endedAt }: RunView): string {
  const took = endedAt === undefined ? `${durationText(workedMs)} so far` : `took ${durationText(workedMs)}`;
  const waited = waitedMs < 1000 ? '' : `, waited ${durationText(waitedMs)} for a person`;
  const paused = pausedMs < 1000 ? '' : `, paused ${durationText(pausedMs)}`;
  return `${localTime(startedAt)}, ${took}${waited}${paused}`;
}

const MOST_STATES = 30;

/** A state that follows itself is shown once, with how often. */
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

const withTimes = (text: string, times: number): string => (times === 1 ? text : `${text} ×${times}`);

const MOST_FOLDERS = 12;

function folderFields({ folders = [], folder }: RunView): readonly string[] {
  const [main, ...others] = folders;
  if (main === undefined) return [field('folder', folder ?? 'none')];
  const shown = others.slice(0, MOST_FOLDERS);
  const more = others.length - shown.length;
  return [
    field('folder', folderText(main)),
    ...shown.map((one) => field('workspace', `${one.workspace}: ${folderText(one)}`)),
    ...(more > 0 ? [field('workspace', `and ${more} more`)] : []),
  ];
}

function folderText({ folder, state, overlay }: NonNullable<RunView['folders']>[number]): string {
  switch (state) {
    case 'not-made':
      return `${folder} (not made: no agent has used a tool)`;
    case 'removed':
      return `${folder} (removed; restored when it is needed)`;
    case 'elsewhere':
      return 'on a worker; its files are in the shared store';
    case 'pruned':
      return `${folder} (removed, and its files are no longer stored)`;
    default:
      return overlay === undefined ? folder : `overlay over ${overlay.slice(0, 12)}; changed files in ${folder}`;
  }
}

/** Which one it has, and whether the files give another one now. */
function definitionFields({ run, project, status, definition }: RunView): readonly string[] {
  if (definition === undefined) return [];
  const { hash, since, changes = [], ...now } = definition;
  const shown = (path: string): string => (path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path);
  const from = since === undefined ? '' : ` since record ${since}`;
  const isNew = status !== 'settled' && (now.state === 'changed' || now.state === 'unread');
  const hint = isNew ? `; take it over with: troupe resume ${run} --definition new` : '';
  return [
    field('defined', `${hash.slice(0, 12)}${from}, ${changeSentence(now, shown)}${hint}`),
    ...changes.slice(0, MOST_CHANGES).map((line) => field('', oneLine(line, 200))),
    ...(changes.length > MOST_CHANGES ? [field('', `and ${changes.length - MOST_CHANGES} more`)] : []),
  ];
}

const MOST_CHANGES = 6;

/** The sandbox of its commands, what it has beside files, and what became of its files. */
function filesFields(view: RunView): readonly string[] {
  const { held, sandbox, files, redacted = [], resources = {} } = view;
  const leased = Object.entries(resources).map(([workspace, values]) => field('leased', leasedText(workspace, values)));
  return [
    ...(sandbox === undefined ? [] : [field('sandbox', sandbox)]),
    ...leased,
    ...(files?.skipped === undefined ? [] : [field('left out', oneLine(leftOutText(files.skipped), 400))]),
    ...redacted.map((file) => field('redacted', oneLine(redactedText(file), 400))),
    ...resultFields(view).map(([name, value]) => field(name, value)),
    ...(held === undefined ? [] : heldFields(held)),
  ];
}

/** By a person, or by something that has to be fixed first. */
function heldFields({ by, reason, failure }: NonNullable<RunView['held']>): readonly string[] {
  if (failure === undefined) return [field('paused', oneLine(`by ${by}: ${reason}`, 400))];
  const { code, message, hint } = failure;
  return [
    field('paused', oneLine(`${code}: ${message}`, 400)),
    ...(hint === undefined ? [] : [field('', oneLine(hint, 400))]),
  ];
}

/** The changes left in a run's workspaces, after a bad end or in agents' own workspaces. */
function waitingFields({ run, folders = [], driven, delivery, discardedBy }: RunView): readonly string[] {
  if (driven || delivery !== undefined || discardedBy !== undefined) return [];
  const waiting = folders.filter((one) => one.isWaiting === true).slice(0, MOST_FOLDERS);
  return waiting.map((folder) =>
    field('changes', `wait in the workspace ${folder.workspace}: troupe diff ${run}${workspaceWords(folder)}`),
  );
}

const leasedText = (workspace: string, values: Readonly<Record<string, string>>): string =>
  oneLine(
    `${workspace}: ${Object.entries(values)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ')}`,
    400,
  );

/** Each error once, with how often it came; the one the run failed with is in its status. */
function errorTexts({ errors, failure }: RunView): readonly string[] {
  const isOfRun = ({ code, message }: RunView['errors'][number]): boolean =>
    failure?.code === code && failure.message === message;
  const texts = Map.groupBy(errors, ({ state, code, message }) => oneLine(`${state}: ${code}: ${message}`, 400));
  return [...texts]
    .filter(([, same]) => same.length > 1 || !same.some(isOfRun))
    .map(([text, same]) => withTimes(text, same.length));
}

function questionFields({ run, questions }: RunView): readonly string[] {
  return questions.flatMap((question) => [
    ...questionLines(`${question.name}: ${question.text}`).map((line, at) => field(at === 0 ? 'question' : '', line)),
    ...choiceTexts(question).map((line) => field('', line)),
    field('', `troupe answer ${run} ${question.name} ${answerWords(question)}`),
  ]);
}

function outputLines(view: RunView): readonly string[] {
  if (view.output === null) return [];
  return ['', typeof view.output === 'string' ? plainText(view.output) : valueText(view.output)];
}
