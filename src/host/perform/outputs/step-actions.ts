import { STEP_BEGIN } from '../../../core/model/step-program.ts';
import type { RunId } from '../../../core/model/ids.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import type { ToolCall } from '../../../core/model/message.ts';
import { PathRefused } from '../../../lib/confined-path.ts';
import { plainPath } from '../../../tools/folder-access.ts';
import type { World } from '../../world.ts';
import { recordsOf, type JournalTreeRecord } from './journal-tree.ts';

/** What the journal says of an agent's work since its phase last began. */
export interface StepActions {
  /** The paths it last named as an output with `submit_output`; undefined if it named none. */
  readonly handed: (name: string) => readonly string[] | undefined;
  /** Why the last `submit_output` of an output was refused; undefined if it was accepted, or there was none. */
  readonly refused: (name: string) => string | undefined;
  /** Files that the engine wrote for it, changed or not. */
  readonly written: ReadonlySet<string>;
}

export function stepActions(
  records: readonly JournalTreeRecord[],
  run: RunId,
  { tools }: Pick<World, 'tools'>,
): StepActions {
  const own = sinceBegin(
    records.filter((record) => record.run === run || record.run.startsWith(`${run}/`)),
    run,
  );
  const handed = recordsOf(own, 'output.handed');
  const writers = new Set(tools.filter(({ access }) => access === 'write').map(({ spec }) => spec.name));
  const written = writtenBy(own, writers);
  for (const { fact } of handed) for (const path of fact.paths) addPath(written, path);
  const submitted = submissions(own);
  return {
    handed: (name) => handed.findLast(({ fact }) => fact.name === name)?.fact.paths,
    refused: (name) => submitted.get(name) ?? undefined,
    written,
  };
}

/** By output: why the last try was refused, null if it was accepted. */
function submissions(records: readonly JournalTreeRecord[]): ReadonlyMap<string, string | null> {
  const names = new Map<string, string>();
  for (const { run, fact } of recordsOf(records, 'call.answered')) {
    for (const { id, name, arguments: given } of fact.message.toolCalls ?? []) {
      const output = name === 'submit_output' && isJsonObject(given) ? given['name'] : null;
      if (typeof output === 'string') names.set(`${run} ${fact.task} ${id}`, output);
    }
  }
  const last = new Map<string, string | null>();
  for (const { run, fact } of recordsOf(records, 'tool.finished')) {
    const output = names.get(`${run} ${fact.task} ${fact.toolCall}`);
    if (output !== undefined) last.set(output, fact.isError ? reasonIn(fact.content) : null);
  }
  return last;
}

const MOST_LETTERS = 400;

/** Without the instruction to the agent. */
function reasonIn(text: string): string {
  const lines = text.split('\n').map((one) => one.replace(/^- /, '').trim());
  const reasons = lines.filter((one) => one !== '' && !/ was not taken:$|^Correct it and hand it in again/.test(one));
  const line = reasons.join(' ');
  return line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS)}…` : line;
}

/** A phase in a loop begins again in the same run. */
function sinceBegin(records: readonly JournalTreeRecord[], run: RunId): readonly JournalTreeRecord[] {
  const began = records.findLastIndex(
    ({ run: owner, fact }) =>
      owner === run && fact.kind === 'task.started' && fact.work.kind === 'compute' && fact.work.program === STEP_BEGIN,
  );
  return records.slice(began + 1);
}

function writtenBy(records: readonly JournalTreeRecord[], writers: ReadonlySet<string>): Set<string> {
  const done = new Set(
    recordsOf(records, 'tool.finished')
      .filter(({ fact }) => !fact.isError)
      .map(({ run, fact }) => `${run} ${fact.task} ${fact.toolCall}`),
  );
  const written = new Set<string>();
  for (const { run, fact } of recordsOf(records, 'call.answered')) {
    const calls = (fact.message.toolCalls ?? []).filter(({ name }) => writers.has(name));
    for (const call of calls) if (done.has(`${run} ${fact.task} ${call.id}`)) addPath(written, pathOf(call));
  }
  return written;
}

function pathOf({ arguments: given }: ToolCall): Json {
  return isJsonObject(given) ? (given['path'] ?? null) : null;
}

function addPath(written: Set<string>, path: Json): void {
  if (typeof path !== 'string') return;
  try {
    written.add(plainPath(path));
  } catch (error) {
    if (!(error instanceof PathRefused)) throw error;
  }
}
