import { costText, timeText } from '../../../core/look/amount-text.ts';
import type { Evidence } from '../../../core/record/agent-fact.ts';
import type { QuestCheck, QuestSession, QuestSignal, QuestStep, QuestView } from '../views/quest-view.ts';
import { answerChoices, answerWords } from '../../../protocol/answer-words.ts';
import { counted, tokens } from '../../../protocol/amounts.ts';
import { resultSuffix, type Standing, statusText, statusWord } from '../../../protocol/status-word.ts';
import { outcomeText } from '../../../protocol/outcome-text.ts';
import { oneLine, plainText } from '../../../protocol/plain-text.ts';

/** A quest for people, in the terms of `list` and `show`. The files on disk use the journal's terms. */
export type ShownQuest = Omit<QuestView, 'status' | 'steps'> & {
  readonly status: string;
  readonly steps: readonly ShownStep[];
};

export type ShownStep = Omit<QuestStep, 'status'> & { readonly status: string };

/** Without a driving process no slot is busy, and nothing of it runs. */
export function shownQuest(view: QuestView, standing: Pick<Standing, 'driven' | 'queued'>): ShownQuest {
  const { outcome } = view;
  const status = statusText({ status: view.status, outcome, ...standing });
  if (standing.driven || view.status === 'settled') return { ...view, status };
  const steps = view.steps.map((step) => ({
    ...step,
    status: statusWord({ status: step.status, outcome: null, ...standing }),
  }));
  return { ...view, status, steps, slots: [] };
}

/** A quest for people: the content of `quest.md`. It does not depend on the time or the machine of reading. */
export function questText(view: ShownQuest): string {
  const parts = [
    [`# ${oneLine(view.title)}`, '', ...headLines(view)],
    section('Questions', questionLines(view)),
    section('Notices', bullets(view.notices)),
    section('Requirements', bullets(view.requirements)),
    section('Contexts', bullets(view.contexts)),
    section('Observables', bullets(view.observables)),
    section('Slots', slotLines(view)),
    section(
      'Steps',
      view.steps
        .map((step) => stepLines(step).join('\n'))
        .join('\n\n')
        .split('\n'),
    ),
    section('The whole', wholeLines(view)),
    section('History', historyLines(view)),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.join('') === '' ? [] : [`## ${title}`, '', ...lines];

const bullets = (texts: readonly string[]): readonly string[] => texts.map((text) => `- ${oneLine(text, 600)}`);

function headLines(view: ShownQuest): readonly string[] {
  const { run, request, title, ward, usage, costUsd, startedAt, endedAt } = view;
  const rest = request.trim() === title ? [] : [...plainText(request.trim()).split('\n').map(quoted), ''];
  return [
    ...rest,
    `- run: ${run}`,
    `- status: ${wholeStatus(view)}`,
    ...pausedLines(view).map((line) => `- paused: ${line}`),
    `- steps: ${countText(view.steps)}`,
    `- ward: ${ward.length === 0 ? 'none' : oneLine(ward.join(' && '), 300)}`,
    `- used: ${tokens(usage)} in ${counted(usage.calls, 'call')}, ${costText(costUsd)}`,
    `- started: ${timeText(startedAt)}${endedAt === undefined ? '' : `, ended: ${timeText(endedAt)}`}`,
  ];
}

const quoted = (line: string): string => `> ${line}`.trimEnd();

function wholeStatus({ status, phase, outcome, failure, result }: ShownQuest): string {
  if (outcome !== null)
    return oneLine(`${outcomeText(outcome, failure)}${resultSuffix({ result, driven: false })}`, 600);
  return `${status}, in ${phase}`;
}

/** Why it is paused, and what a person can do about it. */
export function pausedLines({ paused }: ShownQuest): readonly string[] {
  if (paused === undefined) return [];
  const { by, reason, failure } = paused;
  if (failure === undefined) return [oneLine(`by ${by}: ${reason}`, 600)];
  return [oneLine(`${failure.code}: ${failure.message} ${failure.hint ?? ''}`, 600)];
}

/** As in `6 (3 merged, 2 running, 1 waiting)`. */
export function countText(steps: readonly ShownStep[]): string {
  const counts = Map.groupBy(steps, ({ status }) => status);
  const each = [...counts].map(([status, those]) => `${those.length} ${status}`);
  return steps.length === 0 ? 'none yet' : `${steps.length} (${each.join(', ')})`;
}

/** The same everywhere: a file is read by others too. */

function questionLines({ run, questions }: ShownQuest): readonly string[] {
  return questions.flatMap((question) => [
    `- ${question.name}: ${oneLine(question.text, 600)}${choicesText(question)}`,
    `  \`troupe quest answer ${run} ${question.name} ${answerWords(question)}\``,
  ]);
}

/** As in ` (yes, no)`. */
export function choicesText(question: ShownQuest['questions'][number]): string {
  const choices = answerChoices(question);
  return choices.length === 0 ? '' : ` (${choices.join(', ')})`;
}

const slotLines = ({ slots }: ShownQuest): readonly string[] =>
  slots.map(({ slot, step, role, state, session }) => {
    const who = role === null ? `the engine, in ${state}` : `${role}${session === null ? '' : `, session ${session}`}`;
    return `${slot}. ${step}: ${oneLine(who)}`;
  });

function stepLines(step: ShownStep): readonly string[] {
  const { id, title, status, files, after, partOf, attempts, run, summary, reason } = step;
  return [
    `### ${id}: ${oneLine(title)}`,
    '',
    `- status: ${status}${attempts > 1 ? `, begun ${attempts} times` : ''}${run === null ? '' : ` (${run})`}`,
    ...(partOf === undefined ? [] : [`- part of: ${partOf}`]),
    ...(after.length === 0 ? [] : [`- after: ${after.join(', ')}`]),
    ...(files.length === 0 ? [] : [`- files: ${oneLine(files.join(', '), 600)}`]),
    ...step.acceptance.map((text) => `- done when: ${oneLine(text, 300)}`),
    ...(summary === null ? [] : [`- summary: ${oneLine(summary, 600)}`]),
    ...(reason === null ? [] : [`- reason: ${oneLine(reason, 600)}`]),
    ...workLines(step),
    ...evidenceLines(step),
    ...mergeLines(step),
  ];
}

type Work = Pick<ShownStep, 'sessions' | 'signals' | 'checks'>;

const workLines = ({ sessions, signals, checks }: Work): readonly string[] => [
  ...sessions.map(sessionLine),
  ...signals.map(signalLine),
  ...checks.map(checkLine),
];

const sessionLine = ({ role, actor, session, turns }: QuestSession): string =>
  `- session: ${role} (${actor}) ${oneLine(session)}, ${counted(turns, 'turn')}`;

function signalLine({ role, signal, status, says, why }: QuestSignal): string {
  const words =
    status === 'refused' ? why : (says['summary'] ?? says['progress'] ?? says['question'] ?? says['reason']);
  const target = typeof says['targetRole'] === 'string' ? ` for ${says['targetRole']}` : '';
  const name = `- signal: ${role} ${oneLine(`${signal}${target}`)}${status === 'refused' ? ', not taken' : ''}`;
  return typeof words === 'string' ? `${name}: ${oneLine(words, 300)}` : name;
}

const checkLine = ({ command, outcome, exitCode }: QuestCheck): string =>
  `- ward: ${outcome === 'ok' ? 'green' : `red (${exitCode === null ? outcome : `exit ${exitCode}`})`}: ${oneLine(command, 200)}`;

function evidenceLines({ evidence }: ShownStep): readonly string[] {
  return evidence.flatMap(({ role, seen }) => {
    if (seen.kind === 'tree') return [];
    return [`- evidence (${role}): ${oneLine(evidenceText(seen), 300)}`];
  });
}

function evidenceText(seen: Exclude<Evidence, { kind: 'tree' }>): string {
  if (seen.kind === 'file') return `${seen.path} ${seen.isThere ? 'is there' : 'is missing'}`;
  if (seen.kind === 'command') return `${seen.command}: exit ${seen.exitCode ?? 'none'}`;
  return seen.isChanged ? 'files were changed' : `no file was changed: ${seen.reason ?? 'no reason was given'}`;
}

function mergeLines({ merge }: ShownStep): readonly string[] {
  if (merge === null) return [];
  const { outcome, tries, reason } = merge;
  const text = outcome === 'ok' ? 'done' : `${outcome}${reason === null ? '' : `: ${oneLine(reason, 300)}`}`;
  return [`- merge: ${text}${tries > 1 ? ` (try ${tries})` : ''}`];
}

/** The work of the roles for the whole quest. */
const wholeLines = (view: ShownQuest): readonly string[] => workLines(view);

const historyLines = ({ history }: ShownQuest): readonly string[] =>
  history.map(
    ({ at, step, text }) => `- ${timeText(at).slice(11, 19)} ${step === null ? '' : `${step}: `}${oneLine(text, 400)}`,
  );
