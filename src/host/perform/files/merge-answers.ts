import { stripVTControlCharacters } from 'node:util';
import type { TaskDone } from '../../../core/model/event.ts';
import type { RefusedFiles } from '../../../core/record/files-fact.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import type { Conflict } from '../../../workspace/changes/conflict.ts';
import { conflictAdvice, shownConflict } from './conflict-advice.ts';
import { conflictJson } from './conflict-json.ts';
import type { RedCheck } from './merge-checks.ts';
import { listed, othersText, type MergeFacts } from './merge-facts.ts';
import type { MergeRun } from './merge-sides.ts';

/** The results of a merge, as text for the workflow, the agent that has to fix it, and the person. */

export const mergeDone = ({ task }: MergeRun, output: Json): TaskDone => ({
  kind: 'task.done',
  task,
  outcome: 'ok',
  output,
  failure: null,
});

export interface ConflictFound {
  readonly conflicts: readonly Conflict[];
  /** Conflict markers that are still there, as `path:line`. */
  readonly unresolved: readonly string[];
  readonly facts: MergeFacts;
}

export function inConflict({ task }: MergeRun, { conflicts, unresolved, facts }: ConflictFound): TaskDone {
  const paths = conflicts.map(shownConflict);
  const count = paths.length;
  const failure: Failure = {
    code: 'MERGE_CONFLICT',
    message: `${count} ${count === 1 ? 'file is' : 'files are'} in conflict between the work of ${facts.author} and of ${othersText(facts)}: ${listed(paths)}.`,
    class: 'logic',
    hint: 'Let the agent of the author settle them (`result.advice` says how), then merge again.',
  };
  const output = {
    conflicts: conflicts.map(conflictJson),
    ...(unresolved.length === 0 ? {} : { unresolved: [...unresolved] }),
    ...factsJson(facts),
    advice: conflictAdvice(conflicts, unresolved, facts),
  };
  return { kind: 'task.done', task, outcome: 'blocked', output, failure };
}

export function markersLeft({ task }: MergeRun, { unresolved, facts }: Omit<ConflictFound, 'conflicts'>): TaskDone {
  const failure: Failure = {
    code: 'MERGE_UNRESOLVED',
    message: `There are still conflict markers in ${listed(unresolved)}.`,
    class: 'logic',
    hint: 'Let the agent settle them, then merge again.',
  };
  const output = {
    unresolved: [...unresolved],
    ...factsJson(facts),
    advice: conflictAdvice([], unresolved, facts),
  };
  return { kind: 'task.done', task, outcome: 'blocked', output, failure };
}

/** The first failed command is reported with its output; all of them by name. */
export function notVerified({ task }: MergeRun, red: readonly [RedCheck, ...RedCheck[]], facts: MergeFacts): TaskDone {
  const [{ command, exitCode, how, output, alone }] = red;
  const message = `The merged files do not pass \`${command}\` (${how}).${joinedText(alone, facts)}`;
  const failure: Failure = { code: 'MERGE_NOT_VERIFIED', message, class: 'logic' };
  const report: JsonObject = {
    command,
    exitCode,
    output,
    red: red.map((one) => ({ command: one.command, exitCode: one.exitCode })),
    ...factsJson(facts),
    alone: { ...alone },
    advice: fixAdvice(red, facts),
  };
  return { kind: 'task.done', task, outcome: 'failed', output: report, failure };
}

/** Results on each side alone are shown only if two sides were joined. */
function joinedText({ author, others }: RedCheck['alone'], facts: MergeFacts): string {
  if (author === null || others === null) return '';
  const { files } = facts;
  const [mine, theirs] = [facts.author, othersText(facts)];
  const alone = `Alone, the work of ${mine} ${author ? 'passes' : 'fails'} and the work of ${theirs} ${others ? 'passes' : 'fails'}.`;
  const met =
    files.both.length > 0
      ? `Both changed ${listed(files.both)}.`
      : `${mine} changed ${listed(files.author)}; ${theirs} changed ${listed(files.others)}.`;
  return ` ${alone} ${met}`;
}

function fixAdvice(red: readonly [RedCheck, ...RedCheck[]], facts: MergeFacts): string {
  const [{ command, how, output, alone }, ...more] = red;
  const { files } = facts;
  const others = othersText(facts);
  const isMet = alone.author !== null && alone.others !== null;
  const tail = stripVTControlCharacters(output).trimEnd().slice(-SHOWN_CHARS).toWellFormed();
  return [
    isMet ? `Your work fails together with the work of ${others}.` : 'Your work fails where it is merged.',
    `- The engine ran this on the merged files: \`${command}\` (${how})`,
    ...more.map((one) => `- Also failed: \`${one.command}\` (${one.how})`),
    ...(isMet ? [`- Alone: your work ${verbFor(alone.author)}, the work of ${others} ${verbFor(alone.others)}`] : []),
    ...pathLine('Changed by both', files.both),
    ...pathLine('Changed by you', files.author),
    ...(isMet ? pathLine(`Changed by ${others}`, files.others) : []),
    ...(tail === '' ? [] : ['', 'The last lines of its output:', tail]),
    '',
    'Your workspace holds the merged files now. Find the cause and fix it there; keep what the others intended.',
    'The engine then runs the command again. If you change no file, this attempt ends.',
  ].join('\n');
}

const SHOWN_CHARS = 3000;

const verbFor = (isGreen: boolean | null): string => (isGreen === true ? 'passes' : 'fails');

const pathLine = (label: string, paths: readonly string[]): readonly string[] =>
  paths.length === 0 ? [] : [`- ${label}: ${listed(paths)}`];

/** The author had to fix it and changed nothing: another try would have the same result. */
export function notFixed(effect: MergeRun, refused: RefusedFiles, last: ConflictFound): TaskDone {
  const isConflict = refused.code === 'MERGE_CONFLICT';
  const failure: Failure = {
    code: 'MERGE_NOT_FIXED',
    message: `${last.facts.author} was to fix its work and changed no file. ${refused.why}`,
    class: 'logic',
    hint: 'Nothing was merged. Another try without a change ends the same way.',
  };
  const output: JsonObject = isConflict
    ? ((inConflict(effect, last).output ?? {}) as JsonObject)
    : { red: refused.commands.map((command) => ({ command })), ...factsJson(last.facts), advice: refused.why };
  return { kind: 'task.done', task: effect.task, outcome: isConflict ? 'blocked' : 'failed', output, failure };
}

const factsJson = ({ author, others, files }: MergeFacts): JsonObject => ({
  author,
  others: [...others],
  files: { both: [...files.both], author: [...files.author], others: [...files.others] },
});
