import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Definition } from '../../core/role.ts';
import { definitionMisfit } from '../../host/embedded/redefine-run.ts';
import type { Invocation } from '../command-spec.ts';
import { flag, textOption } from '../invocation.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { canAsk } from '../terminal/terminal.ts';
import { definitionNow, type DefinitionNow } from '../../app/library/definition-change.ts';
import { changeLines, changeSentence } from '../../app/library/definition-text.ts';
import type { Driving } from './driving.ts';

/** Which definition a run goes on with; `interrupted`: the person would rather decide later. */
export type ChosenDefinition =
  | { readonly kind: 'started' }
  | { readonly kind: 'new'; readonly definition: Definition }
  | { readonly kind: 'interrupted' };

const STARTED = { kind: 'started' } as const;

/**
 * A run keeps the definition it began with. When its files give another one now, whoever resumes it is told, and may have
 * either: the one it began with, unless somebody says otherwise.
 */
export async function chooseDefinition(driving: Driving, run: RunId): Promise<ChosenDefinition> {
  const { invocation, host, project } = driving;
  const { terminal } = invocation;
  const given = textOption(invocation, 'definition');
  const now = await definitionNow(
    await host.definition(run),
    { project, caller: terminal },
    given === 'new' ? 'any' : 'known',
  );
  if (now.state === 'same') {
    if (given === 'new') terminal.stderr.write(`Run ${run} has the newest definition already.\n`);
    return STARTED;
  }
  const misfits = now.definition === undefined ? [] : await host.misfits(run, now.definition);
  if (given === 'new') refuseUnusable({ run, now, misfits }, terminal.folder);
  const taken = given ?? (await askPerson(driving, { run, now, misfits }));
  if (taken === null) return { kind: 'interrupted' };
  tell(driving, { run, now, misfits, taken, isGiven: given !== undefined });
  return taken === 'new' && now.definition !== undefined ? { kind: 'new', definition: now.definition } : STARTED;
}

function refuseUnusable({ run, now, misfits }: Choice, folder: string): void {
  if (misfits.length > 0) throw definitionMisfit(run, misfits);
  if (now.definition !== undefined) return;
  const { fault } = now;
  const what = changeSentence(now, folder);
  throw new Fault('DEFINITION_UNUSABLE', `There is no new definition for run ${run}: ${what}.`, {
    problems: fault?.problems ?? [],
    hint: `Mend it, or go on as it began: troupe resume ${run} --definition started`,
    ...(fault === undefined ? {} : { cause: fault }),
  });
}

interface Choice {
  readonly run: RunId;
  readonly now: DefinitionNow;
  /** Why the run cannot take the new one. */
  readonly misfits: readonly string[];
}

/** In a terminal, and where there is a choice at all; otherwise it goes on as it began. */
function isAsking(invocation: Invocation, { now, misfits }: Choice): boolean {
  const interactive = invocation.options['interactive'] !== false;
  const isThere = canAsk(invocation.terminal, { interactive, json: flag(invocation, 'json') });
  return isThere && now.definition !== undefined && misfits.length === 0;
}

async function askPerson({ invocation }: Driving, choice: Choice): Promise<string | null> {
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

interface Told extends Choice {
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
