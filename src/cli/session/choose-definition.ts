import type { RunId } from '../../core/ids.ts';
import type { Definition } from '../../core/role.ts';
import { definitionChoice, type DefinitionChoice, type WantedDefinition } from '../../app/runs/definition-choice.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { flag, textOption } from '../invocation.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { canAsk } from '../terminal/terminal.ts';
import type { DefinitionNow } from '../../app/library/definition-change.ts';
import { changeLines, changeSentence } from '../../app/library/definition-text.ts';
import type { Driving } from './driving.ts';

/** Which definition a run goes on with; `interrupted`: the person would rather decide later. */
export type ChosenDefinition =
  | { readonly kind: 'started' }
  | { readonly kind: 'new'; readonly definition: Definition }
  | { readonly kind: 'interrupted' };

const STARTED = { kind: 'started' } as const;

/** Says at a resume that the files of a run have changed, and lets a person choose: the definition it began with, by default. */
export async function chooseDefinition(driving: Driving, info: RunInfo): Promise<ChosenDefinition> {
  const { invocation } = driving;
  const given = definitionOption(invocation);
  const choice = await definitionChoice(driving, info, given);
  if (choice === null) {
    if (given === 'new') invocation.terminal.stderr.write(`Run ${info.run} has the newest definition already.\n`);
    return STARTED;
  }
  const taken = given ?? (await askPerson(driving, choice));
  if (taken === null) return { kind: 'interrupted' };
  tell(driving, { ...choice, taken, isGiven: given !== undefined });
  const { definition } = choice.now;
  return taken === 'new' && definition !== undefined ? { kind: 'new', definition } : STARTED;
}

/** One of the two: the parser takes no third. */
export const definitionOption = (invocation: Invocation): WantedDefinition | undefined => {
  const given = textOption(invocation, 'definition');
  return given === undefined ? undefined : given === 'new' ? 'new' : 'started';
};

/** In a terminal, and where there is a choice at all; otherwise it goes on as it began. */
function isAsking(invocation: Invocation, { now, misfits }: DefinitionChoice): boolean {
  const interactive = invocation.options['interactive'] !== false;
  const isThere = canAsk(invocation.terminal, { interactive, json: flag(invocation, 'json') });
  return isThere && now.definition !== undefined && misfits.length === 0;
}

async function askPerson({ invocation }: Driving, choice: DefinitionChoice): Promise<string | null> {
  if (!isAsking(invocation, choice)) return 'started';
  const { terminal } = invocation;
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

interface Told extends DefinitionChoice {
  readonly taken: string;
  /** On the command line; then nobody needs to be told what could be said there. */
  readonly isGiven: boolean;
}

function tell({ invocation }: Driving, { run, now, misfits, taken, isGiven }: Told): void {
  const { terminal } = invocation;
  const { state, file, files, changes } = now;
  if (flag(invocation, 'json')) {
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
  const hasSeen = !isGiven && isAsking(invocation, { run, now, misfits });
  const notice = hasSeen ? [] : [noticeText(run, now, terminal.folder)];
  const outcome = outcomeLines({ run, now, misfits, taken, isGiven: isGiven || hasSeen });
  terminal.stderr.write(`${[...notice, ...outcome].join('\n')}\n`);
}

function noticeText(run: RunId, now: DefinitionNow, folder: string): string {
  const lines = changeLines(now).map((line) => `  ${line}`);
  return plainText([`troupe: DEFINITION_CHANGED: run ${run}: ${changeSentence(now, folder)}.`, ...lines].join('\n'));
}

function outcomeLines({ run, now, misfits, taken, isGiven }: Told): readonly string[] {
  if (taken === 'new') return ['It goes on with the new definition.'];
  const kept = 'It goes on with the definition it began with.';
  if (misfits.length > 0)
    return [`${kept} The new one does not fit where it stands:`, ...misfits.map((one) => `  ${one}`)];
  const canHaveNew = now.definition !== undefined || now.state === 'unread';
  return [canHaveNew && !isGiven ? `${kept} With the new one: troupe resume ${run} --definition new` : kept];
}
