import { whole } from '../../../protocol/whole-list.ts';
import { Fault } from '../../../core/model/fault.ts';
import { runId } from '../../../core/model/ids.ts';
import { flag, type Invocation, word, words } from '../../../cli/invocation.ts';
import { EXIT } from '../../../cli/exit-code.ts';
import { findQuest, splitQuest } from '../app/find-quest.ts';
import { questPlace } from '../app/quest-writer.ts';
import {
  choicesText,
  countText,
  pausedLines,
  questText,
  shownQuest,
  type ShownQuest,
  type ShownStep,
} from '../app/quest-text.ts';
import type { QuestView } from '../views/quest-view.ts';
import { queuedNow } from '../../../app/workers/queued-run.ts';
import { storeHome, withStore } from '../../../app/world/store.ts';
import { type Paint, paintFor } from '../../../cli/terminal/colour.ts';
import { answerCommand } from '../../../cli/commands/answer.ts';
import { runCommand } from '../../../cli/commands/run.ts';
import { wrapWords } from '../../../cli/terminal/wrap-words.ts';
import { oneLine } from '../../../protocol/plain-text.ts';
import { table } from '../../../cli/terminal/table.ts';

export interface LinesOptions {
  readonly width: number;
  readonly paint: Paint;
  /** The file with all of it. */
  readonly file: string;
}

const MOST_HISTORY = 40;

/** `quest.md` on a terminal: headings stand out, and long lines continue below where their text began. */
export function questLines(view: ShownQuest, { width, paint, file }: LinesOptions): string {
  const more = view.history.length - MOST_HISTORY;
  const text = questText(more > 0 ? { ...view, history: view.history.slice(-MOST_HISTORY) } : view).trimEnd();
  const lines = text
    .split('\n')
    .map((line) => (line.startsWith('#') ? paint('bold', wrapped(line, width)) : wrapped(line, width)));
  return [...lines, ...(more > 0 ? ['', `${more} earlier lines of the history are in ${file}`] : [])].join('\n');
}

function wrapped(line: string, width: number): string {
  const indent = ' '.repeat(/^(?:\s*(?:[-#>]+|\d+\.)?\s*)/.exec(line)?.[0].length ?? 0);
  return wrapWords(line, { width, indent });
}

/** The steps of a quest as a table: how each stands, who works on it where, and what it is. */
export function stepsText(view: ShownQuest, width: number): string {
  const { run, steps, questions } = view;
  const head = ['STEP', 'STATUS', 'SLOT', 'ROLE', 'SESSION', 'TITLE'];
  const rows = steps.map((step) => rowOf(step, view));
  const asked = questions.map((one) => oneLine(`asks ${one.name}: ${one.text}${choicesText(one)}`, width));
  const answers = questions.length === 0 ? [] : [`answer with: troupe quest answer ${run} QUESTION TEXT`];
  return [
    oneLine(`${run}: ${view.status}; steps: ${countText(steps)}`, width),
    ...(steps.length === 0 ? [] : [table([head, ...rows], width)]),
    ...pausedLines(view).map((line) => `paused: ${line}`),
    ...asked,
    ...answers,
    ...(view.status === 'stopped' ? [`continue with: troupe resume ${run}`] : []),
  ].join('\n');
}

const MOST_SESSION = 12;

function rowOf(step: ShownStep, { slots }: ShownQuest): readonly string[] {
  const slot = slots.find((one) => one.run === step.run);
  const last = step.sessions.at(-1);
  const isOver = slot === undefined;
  const role = isOver ? (last?.role ?? '') : (slot.role ?? slot.state);
  const session = (isOver ? last?.session : slot.session) ?? '';
  return [
    oneLine(step.id, 20),
    step.status,
    isOver ? '' : String(slot.slot),
    oneLine(role, 14),
    oneLine(session, MOST_SESSION),
    oneLine(step.title, 200),
  ];
}

type Action = (invocation: Invocation, given: readonly string[]) => Promise<number>;

/** `troupe quest new | show | steps | answer`: a quest is a run like any other; here it is shown by its steps. */
export async function questCommand(invocation: Invocation): Promise<number> {
  const name = word(invocation, 0) ?? '';
  const action = ACTIONS.get(name);
  if (action !== undefined) return await action(invocation, words(invocation, 1));
  throw usage(`There is no "quest ${name}".`);
}

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['new', newQuest],
  ['show', showQuest],
  ['steps', showSteps],
  ['answer', answerQuest],
]);

const usage = (message: string): Fault =>
  new Fault('USAGE', message, { hint: `There are: ${[...ACTIONS.keys()].join(', ')}. See: troupe quest --help` });

/** The same as `troupe run quest "…"`. */
async function newQuest(invocation: Invocation, given: readonly string[]): Promise<number> {
  if (given.length === 0) throw usage('quest new needs what is wanted: troupe quest new "…"');
  return await runCommand({ ...invocation, words: ['quest', given.join(' ')] });
}

async function showQuest(invocation: Invocation, given: readonly string[]): Promise<number> {
  const { terminal } = invocation;
  const { stdout, environment } = terminal;
  return await look(invocation, given, (view, standing) => {
    if (flag(invocation, 'json')) return JSON.stringify(view);
    const { text: file } = questPlace(storeHome(terminal), view.run);
    return questLines(shownQuest(view, standing), {
      width: stdout.columns || 80,
      paint: paintFor(stdout, environment),
      file,
    });
  });
}

async function showSteps(invocation: Invocation, given: readonly string[]): Promise<number> {
  const width = invocation.terminal.stdout.columns || 120;
  return await look(invocation, given, (view, standing) =>
    flag(invocation, 'json')
      ? JSON.stringify({ kind: 'steps', run: view.run, ...whole(view.steps) })
      : stepsText(shownQuest(view, standing), width),
  );
}

type QuestStanding = Parameters<typeof shownQuest>[1];

/** From the journal, whatever the files hold. */
async function look(
  invocation: Invocation,
  [named, ...more]: readonly string[],
  text: (view: QuestView, standing: QuestStanding) => string,
): Promise<number> {
  if (more.length > 0) throw usage(`One run, please; "${more.join(' ')}" is too much.`);
  const { folder, stdout } = invocation.terminal;
  const shown = await withStore(invocation.terminal, async (store) => {
    const view = (await findQuest(store.journal, named ?? null, folder)).view();
    const run = runId(view.run);
    const driven = (await store.journal.run(run))?.driven === true;
    return text(view, { driven, ...(await queuedNow(store, run)) });
  });
  stdout.write(`${shown}\n`);
  return EXIT.ok;
}

async function answerQuest(invocation: Invocation, given: readonly string[]): Promise<number> {
  const { terminal } = invocation;
  const { run, rest } = await withStore(terminal, ({ journal }) => splitQuest(journal, given, terminal.folder));
  if (rest.length === 0) throw usage('quest answer needs an answer: troupe quest answer [RUN] [QUESTION] TEXT');
  return await answerCommand({ ...invocation, words: [run, rest] });
}
