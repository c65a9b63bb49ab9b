import type { RunId } from '../../core/ids.ts';
import type { Definition } from '../../core/role.ts';
import { definitionChoice, type DefinitionChoice, type WantedDefinition } from '../../app/runs/definition-choice.ts';
import type { RunInfo } from '../../journal/port.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { canAsk, printNote, type Terminal } from '../terminal/terminal.ts';
import type { DefinitionNow } from '../../app/library/definition-change.ts';
import { definitionChangeLines, changeSentence } from '../../app/library/definition-text.ts';
import type { Driving } from './driving.ts';

/** Which definition a run goes on with; `interrupted`: the person would rather decide later. */
export type ChosenDefinition =
  | { readonly kind: 'started' }
  | { readonly kind: 'new'; readonly definition: Definition }
  | { readonly kind: 'interrupted' };

const STARTED = { kind: 'started' } as const;

/** Says at a resume that the files of a run have changed, and lets a person choose: the definition it began with, by default. */
export async function chooseDefinition(
  driving: Driving,
  info: RunInfo,
  given: WantedDefinition | undefined,
): Promise<ChosenDefinition> {
  const { terminal } = driving;
  const choice = await definitionChoice(driving, info, given);
  if (choice === null) {
    if (given === 'new') printNote(terminal, `Run ${info.run} has the newest definition already.`);
    return STARTED;
  }
  const taken = given ?? (await askPerson(driving, choice));
  if (taken === null) return { kind: 'interrupted' };
  report(driving, { ...choice, taken, isGiven: given !== undefined });
  const { definition } = choice.now;
  return taken === 'new' && definition !== undefined ? { kind: 'new', definition } : STARTED;
}

/** In a terminal, and where there is a choice at all; otherwise it goes on as it began. */
const isAsking = (terminal: Terminal, { now, misfits }: DefinitionChoice): boolean =>
  canAsk(terminal) && now.definition !== undefined && misfits.length === 0;

async function askPerson({ terminal }: Driving, choice: DefinitionChoice): Promise<string | null> {
  if (!isAsking(terminal, choice)) return 'started';
  const { run, now } = choice;
  terminal.stderr.write(`${noticeText(run, now, terminal.folder)}\n`);
  const prompts = await import('@clack/prompts');
  const answer = await prompts.select({
    message: 'Which definition shall it go on with?',
    input: terminal.stdin,
    output: terminal.stderr,
    options: [
      { value: 'started', label: 'the one it began with' },
      { value: 'new', label: 'the new one' },
    ],
  });
  return prompts.isCancel(answer) ? null : answer;
}

interface TakenDefinition extends DefinitionChoice {
  readonly taken: string;
  /** On the command line, so that no hint is needed. */
  readonly isGiven: boolean;
}

function report({ terminal }: Driving, { run, now, misfits, taken, isGiven }: TakenDefinition): void {
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
  return plainText([`troupe: DEFINITION_CHANGED: run ${run}: ${changeSentence(now, folder)}.`, ...lines].join('\n'));
}

function outcomeLines({ run, now, misfits, taken, isGiven }: TakenDefinition): readonly string[] {
  if (taken === 'new') return ['It goes on with the new definition.'];
  const kept = 'It goes on with the definition it began with.';
  if (misfits.length > 0)
    return [`${kept} The new one does not fit where it stands:`, ...misfits.map((one) => `  ${one}`)];
  const canHaveNew = now.definition !== undefined || now.state === 'unread';
  return [canHaveNew && !isGiven ? `${kept} With the new one: troupe resume ${run} --definition new` : kept];
}
