import type { Message } from '../../../src/core/message.ts';
import type { RunState, RunTree } from '../../model/run-tree.ts';
import { seenBy } from '../../model/seen-as.ts';
import type { Selection } from '../../model/selection.ts';
import type { Entry, SaidEntry } from '../../model/transcript-entry.ts';
import type { Transcript } from '../../model/transcript-fold.ts';

/** What a list of what was said shows: everything of a run, or one conversation; told to nobody in particular, or as one agent sees it. */
export interface Look {
  /** Null: all of them. */
  readonly context: string | null;
  /** Null: with every name. */
  readonly as: string | null;
}

export interface Row {
  readonly key: string;
  readonly entry: Entry;
  /** The first of another step than the row above. */
  readonly isNewStep: boolean;
  /** On a result that is seen as an agent sees it: the message that called for it. */
  readonly caller: Message | undefined;
}

export function transcriptRows({ entries }: Transcript, { context, as }: Look): readonly Row[] {
  const own = context === null ? entries : entries.filter((entry) => entry.context === context);
  const shown = as === null ? own.filter(isToldAlone) : seenBy(as, own);
  const callers = as === null ? null : callersIn(own);
  let step = '';
  return shown.map((entry) => {
    const now = `${entry.state} ${entry.visit} ${context === null ? '' : entry.task}`;
    const isNewStep = now !== step && entry.state !== '';
    step = now;
    const call = entry.kind === 'said' ? entry.message.toolCallId : undefined;
    return {
      key: entry.key,
      entry,
      isNewStep,
      caller: call === undefined ? undefined : callers?.get(`${entry.task} ${call}`),
    };
  });
}

/** A result is told with its call. */
const isToldAlone = (entry: Entry): boolean => entry.kind !== 'said' || entry.message.role !== 'tool';

function callersIn(entries: readonly Entry[]): ReadonlyMap<string, Message> {
  const said = entries.filter((entry): entry is SaidEntry => entry.kind === 'said');
  return new Map(
    said.flatMap(({ message, task }) => (message.toolCalls ?? []).map(({ id }) => [`${task} ${id}`, message])),
  );
}

/** Which conversation the address means: named, or that of the agent that is chosen, or the only one. */
export function contextOf(
  { snapshot }: RunState,
  { context, agent, task }: Selection,
  transcript: Transcript,
): string | null {
  const names = Object.keys(snapshot.contexts);
  if (context !== undefined) return names.includes(context) ? context : null;
  const of =
    task === undefined ? undefined : transcript.entries.find((entry) => entry.task === task && entry.context !== null);
  const place = agent === undefined ? undefined : transcript.byAgent.get(agent)?.at(-1);
  const found = of?.context ?? (place === undefined ? null : (transcript.entries[place]?.context ?? null));
  return found ?? (names.length === 1 ? (names[0] ?? null) : null);
}

/** All conversations stand in the address as this. */
export const ALL = '*';

export interface ContextChoice {
  readonly value: string;
  readonly label: string;
  readonly run: string;
  readonly context: string;
}

/** Of a run and those below it; `run context` tells them apart. */
export function contextChoices(tree: RunTree): readonly ContextChoice[] {
  return [...tree.runs.values()].flatMap(({ run, snapshot }) => {
    const way = run === tree.root ? '' : `${run.slice(tree.root.length + 1)} › `;
    const names = Object.keys(snapshot.contexts);
    const all = { value: `${run} ${ALL}`, label: `${way}all conversations`, run, context: ALL };
    return [all, ...names.map((context) => ({ value: `${run} ${context}`, label: `${way}${context}`, run, context }))];
  });
}

/** The row that the address means: a record, else the first of a task or of a step; -1 where none does. */
export function rowOf(rows: readonly Row[], { seq, task, state, visit }: Selection): number {
  if (seq !== undefined) {
    const exact = rows.findIndex(({ entry }) => entry.seq === seq || isToldWith(entry, seq));
    return exact === -1 ? rows.findIndex(({ entry }) => entry.seq > seq) : exact;
  }
  if (task !== undefined) return rows.findIndex(({ entry }) => entry.task === task);
  if (state === undefined) return -1;
  return rows.findIndex(({ entry }) => entry.state === state && (visit === undefined || entry.visit === visit));
}

const isToldWith = (entry: Entry, seq: number): boolean =>
  entry.kind === 'said' && entry.uses.some(({ result }) => result?.seq === seq);
