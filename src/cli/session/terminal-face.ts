import type { RunId } from '../../core/model/ids.ts';
import type { OrderFace } from '../../app/acts/with-order.ts';
import type { DefinitionChoice, WantedDefinition } from '../../app/runs/resume-run.ts';
import { pathInProject } from '../../app/config/project.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { canAsk, printNote, type Terminal } from '../terminal/terminal.ts';
import { definitionChangeLines, type DefinitionNow } from '../../app/library/definition-change.ts';
import { changeSentence } from '../../protocol/definition-view.ts';
import { createRunPrinter } from '../terminal/run-printer.ts';

/** The person left the choice for later: nothing is done. */
export class LeftRun extends Error {}

interface FaceOptions {
  readonly opensPage: boolean;
  /** The definition that was named on the command line. */
  readonly wanted: WantedDefinition | undefined;
}

/** The terminal while an order is carried out: it prints, and asks where a person can answer. */
export const terminalFace = (terminal: Terminal, { opensPage, wanted }: FaceOptions): OrderFace => ({
  canAsk: opensPage || canAsk(terminal),
  opensPage,
  chooseDefinition: (choice) => chooseDefinition(terminal, choice, wanted),
  showWaiting: (line) => {
    if (terminal.mode.json) createRunPrinter({ root: line.run, ...terminal }).settled(line);
  },
});

/** Says at a resume that the files of a run have changed, and lets a person choose: the definition it began with, by default. */
async function chooseDefinition(
  terminal: Terminal,
  choice: DefinitionChoice | null,
  given: WantedDefinition | undefined,
): Promise<WantedDefinition> {
  if (choice === null) {
    if (given === 'new') printNote(terminal, 'The run has the newest definition already.');
    return 'started';
  }
  const taken = given ?? (await askPerson(terminal, choice));
  report(terminal, { ...choice, taken, isGiven: given !== undefined });
  return taken;
}

/** In a terminal, and where there is a choice at all; otherwise it continues as it began. */
const isAsking = (terminal: Terminal, { now, misfits }: DefinitionChoice): boolean =>
  canAsk(terminal) && now.definition !== undefined && misfits.length === 0;

async function askPerson(terminal: Terminal, choice: DefinitionChoice): Promise<WantedDefinition> {
  if (!isAsking(terminal, choice)) return 'started';
  const { run, now } = choice;
  terminal.stderr.write(`${noticeText(run, now, terminal.folder)}\n`);
  const prompts = await import('@clack/prompts');
  const answer = await prompts.select({
    message: 'Which definition should it use?',
    input: terminal.stdin,
    output: terminal.stderr,
    options: [
      { value: 'started' as const, label: 'the one it began with' },
      { value: 'new' as const, label: 'the new one' },
    ],
  });
  if (prompts.isCancel(answer)) throw new LeftRun();
  return answer;
}

interface TakenDefinition extends DefinitionChoice {
  readonly taken: WantedDefinition;
  /** On the command line, so that no hint is needed. */
  readonly isGiven: boolean;
}

function report(terminal: Terminal, { run, now, misfits, taken, isGiven }: TakenDefinition): void {
  const { state, file, files, changes } = now;
  if (terminal.mode.json) {
    const line = {
      kind: 'definition.changed',
      code: 'DEFINITION_CHANGED',
      run,
      state,
      file,
      files,
      changes,
      misfits,
      taken,
    };
    terminal.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  const hasSeen = !isGiven && isAsking(terminal, { run, now, misfits });
  const notice = hasSeen ? [] : [noticeText(run, now, terminal.folder)];
  const outcome = outcomeLines({ run, now, misfits, taken, isGiven: isGiven || hasSeen });
  printNote(terminal, [...notice, ...outcome].join('\n'));
}

function noticeText(run: RunId, now: DefinitionNow, folder: string): string {
  const lines = definitionChangeLines(now).map((line) => `  ${line}`);
  return plainText(
    [
      `troupe: DEFINITION_CHANGED: run ${run}: ${changeSentence(now, (path) => pathInProject(path, folder))}.`,
      ...lines,
    ].join('\n'),
  );
}

function outcomeLines({ run, now, misfits, taken, isGiven }: TakenDefinition): readonly string[] {
  if (taken === 'new') return ['It continues with the new definition.'];
  const kept = 'It continues with the definition it began with.';
  if (misfits.length > 0)
    return [`${kept} The new one does not fit its present state:`, ...misfits.map((one) => `  ${one}`)];
  const canHaveNew = now.definition !== undefined || now.state === 'unread';
  return [canHaveNew && !isGiven ? `${kept} With the new one: troupe resume ${run} --definition new` : kept];
}
