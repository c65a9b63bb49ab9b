import { whole } from '../../protocol/whole-list.ts';
import { Fault } from '../../core/fault.ts';
import { runId } from '../../core/ids.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, word, words } from '../invocation.ts';
import { findQuest, splitQuest } from '../../app/quest/find-quest.ts';
import { questPlace } from '../../app/quest/quest-files.ts';
import { questLines } from '../quest/quest-lines.ts';
import { shownQuest } from '../../app/quest/shown-quest.ts';
import { stepsText } from '../quest/steps-text.ts';
import type { QuestView } from '../../protocol/quest/quest-view.ts';
import { storeHome, withStore } from '../../app/world/store.ts';
import { paintFor } from '../terminal/colour.ts';
import { answerCommand } from './answer.ts';
import { runCommand } from './run.ts';

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
  return await look(invocation, given, (view, driven) => {
    if (flag(invocation, 'json')) return JSON.stringify(view);
    const { text: file } = questPlace(storeHome(terminal), view.run);
    return questLines(shownQuest(view, driven), {
      width: stdout.columns || 80,
      paint: paintFor(stdout, environment),
      file,
    });
  });
}

async function showSteps(invocation: Invocation, given: readonly string[]): Promise<number> {
  const width = invocation.terminal.stdout.columns || 120;
  return await look(invocation, given, (view, driven) =>
    flag(invocation, 'json')
      ? JSON.stringify({ kind: 'steps', run: view.run, ...whole(view.steps) })
      : stepsText(shownQuest(view, driven), width),
  );
}

/** From the journal, whatever the files hold. */
async function look(
  invocation: Invocation,
  [named, ...more]: readonly string[],
  text: (view: QuestView, driven: boolean) => string,
): Promise<number> {
  if (more.length > 0) throw usage(`One run, please; "${more.join(' ')}" is too much.`);
  const { folder, stdout } = invocation.terminal;
  const { view, driven } = await withStore(invocation.terminal, async ({ journal }) => {
    const book = await findQuest(journal, named ?? null, folder);
    const found = book.view();
    return { view: found, driven: (await journal.run(runId(found.run)))?.driven === true };
  });
  stdout.write(`${text(view, driven)}\n`);
  return EXIT.ok;
}

async function answerQuest(invocation: Invocation, given: readonly string[]): Promise<number> {
  const { terminal } = invocation;
  const { run, rest } = await withStore(terminal, ({ journal }) => splitQuest(journal, given, terminal.folder));
  if (rest.length === 0) throw usage('quest answer needs an answer: troupe quest answer [RUN] [QUESTION] TEXT');
  return await answerCommand({ ...invocation, words: [run, rest] });
}
