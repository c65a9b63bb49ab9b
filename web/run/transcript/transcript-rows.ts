import { historyOf, runName } from '../../model/run-history.ts';
import type { Message } from '../../../src/core/model/message.ts';
import type { RunNode, RunTree } from '../../model/run-tree.ts';
import { treeLines } from '../../model/tree-lines.ts';
import { type Entry, type SaidEntry, seenBy } from '../../model/transcript-entry.ts';
import { type Selection, useSelection } from '../../model/selection.ts';
import type { Transcript } from '../../model/transcript-fold.ts';
import { useDeferredValue, useMemo } from 'react';
import { useRuns, useShownRun, useTree } from '../../model/use-run.ts';

/** What a transcript shows: a whole run or one conversation, for the person or as one agent sees it. */
export interface RowLook {
  /** Null: all of them. */
  readonly context: string | null;
  /** Null: with every name. */
  readonly as: string | null;
}

export interface Row {
  readonly key: string;
  readonly entry: Entry;
  /** Where it is, on the first of another step than the row above. */
  readonly step: string | null;
  /** On a result that is seen as an agent sees it: the message that called for it. */
  readonly caller: Message | undefined;
}

export function transcriptRows(entries: readonly Entry[], { context, as }: RowLook, root: string): readonly Row[] {
  const own = context === null ? entries : entries.filter((entry) => entry.context === context);
  const shown = as === null ? own.filter(isShownAlone) : seenBy(as, own);
  const callers = as === null ? null : callersIn(own);
  let before = '';
  return shown.map((entry) => {
    const now = `${entry.run} ${entry.state} ${entry.visit} ${context === null ? '' : entry.task}`;
    const isNew = now !== before && entry.state !== '';
    before = now;
    const call = entry.kind === 'said' ? entry.message.toolCallId : undefined;
    const caller = call === undefined ? undefined : callers?.get(`${entry.task} ${call}`);
    return { key: entry.key, entry, step: isNew ? stepName(entry, root) : null, caller };
  });
}

function stepName({ run, state, visit }: Entry, root: string): string {
  const way = run === root ? '' : `${run.slice(root.length + 1)} › `;
  return `${way}${state}${visit > 1 ? `, visit ${visit}` : ''}`;
}

/** The entries of a run and of all runs below it, in order of time. */
export function entriesOfTree(tree: RunTree): readonly Entry[] {
  const runs = [...tree.runs.values()].map((run) => historyOf(run).transcript.entries);
  const [first] = runs;
  if (runs.length === 1 && first !== undefined) return first;
  const { placeOf } = treeLines(tree);
  return runs.flat().toSorted((a, b) => placeOf(a.run, a.seq) - placeOf(b.run, b.seq));
}

/** A result is shown with its call. */
const isShownAlone = (entry: Entry): boolean => entry.kind !== 'said' || entry.message.role !== 'tool';

function callersIn(entries: readonly Entry[]): ReadonlyMap<string, Message> {
  const said = entries.filter((entry): entry is SaidEntry => entry.kind === 'said');
  return new Map(
    said.flatMap(({ message, task }) => (message.toolCalls ?? []).map(({ id }) => [`${task} ${id}`, message])),
  );
}

/** Which conversation the address means: named, or that of the task or the agent that is chosen, or the only one. */
export function contextOf(run: RunNode, selection: Selection, isAlone: boolean): string | null {
  const names = Object.keys(run.snapshot.contexts);
  const { context } = selection;
  if (context !== undefined) return names.includes(context) ? context : null;
  const only = names.length === 1 && isAlone ? (names[0] ?? null) : null;
  const transcript = historyOf(run).transcript;
  return contextOfTask(selection, transcript) ?? contextOfAgent(selection, transcript) ?? only;
}

const contextOfTask = ({ task }: Selection, { entries }: Transcript): string | null =>
  task === undefined ? null : (entries.find((entry) => entry.task === task && entry.context !== null)?.context ?? null);

const contextOfAgent = ({ agent }: Selection, { entries, byAgent }: Transcript): string | null =>
  entries[byAgent.get(agent ?? '')?.at(-1) ?? -1]?.context ?? null;

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
    const way = run === tree.root ? '' : `${runName(tree, run)} › `;
    const names = Object.keys(snapshot.contexts);
    const isWhole = run === tree.root && tree.runs.size > 1;
    const all = {
      value: `${run} ${ALL}`,
      label: isWhole ? 'everything' : `${way}all conversations`,
      run,
      context: ALL,
    };
    return [all, ...names.map((context) => ({ value: `${run} ${context}`, label: `${way}${context}`, run, context }))];
  });
}

/** The row that the address means: a record, else the first of a task or of a step; -1 where none does. */
export function rowOf(rows: readonly Row[], selection: Selection, root: string): number {
  const { seq, task, state, visit, run = root } = selection;
  const find = (fits: (entry: Entry) => boolean): number =>
    rows.findIndex(({ entry }) => entry.run === run && fits(entry));
  if (seq !== undefined) {
    const exact = find((entry) => entry.seq === seq || isShownWith(entry, seq));
    return exact === -1 ? find((entry) => entry.seq > seq) : exact;
  }
  if (task !== undefined) return find((entry) => entry.task === task);
  if (state === undefined) return -1;
  return find((entry) => entry.state === state && (visit === undefined || entry.visit === visit));
}

const isShownWith = (entry: Entry, seq: number): boolean =>
  entry.kind === 'said' && entry.uses.some(({ result }) => result?.seq === seq);

export interface ShownTranscript {
  readonly run: RunNode;
  readonly look: RowLook;
  readonly rows: readonly Row[];
  /** By `run task`: words that are being said here. */
  readonly live: readonly string[];
  /** Those who may read along. */
  readonly agents: readonly string[];
  readonly root: string;
}

/** The conversation that the address means; where none is named, all of the run and of those below it. */
export function useTranscript(): ShownTranscript | null {
  const run = useShownRun();
  const [selection] = useSelection();
  const tree = useDeferredValue(useRuns());
  const { context, as, agents } = lookOf(run, selection, tree.runs.size === 1);
  const of = run === null || (context === null && run.run === tree.root) ? null : run.run;
  const rows = useMemo(() => transcriptRows(entriesOf(tree, of), { context, as }, tree.root), [tree, of, context, as]);
  const live = useTree(
    (now) => liveIn(now, of, context),
    (a, b) => a.join() === b.join(),
  );
  if (run === null) return null;
  return { run, look: { context, as }, rows, live: as === null ? live : [], agents, root: tree.root };
}

function lookOf(
  run: RunNode | null,
  selection: Selection,
  isAlone: boolean,
): RowLook & Pick<ShownTranscript, 'agents'> {
  if (run === null) return { context: null, as: null, agents: [] };
  const context = selection.context === ALL ? null : contextOf(run, selection, isAlone);
  const agents = readersOf(run, context);
  return { context, as: agents.find((agent) => agent === selection.as) ?? null, agents };
}

function entriesOf(tree: RunTree, of: string | null): readonly Entry[] {
  const run = of === null ? undefined : tree.runs.get(of);
  return run === undefined ? entriesOfTree(tree) : historyOf(run).transcript.entries;
}

/** Where words are being said, by `run task`. */
function liveIn({ words, runs }: RunTree, run: string | null, context: string | null): readonly string[] {
  return [...words].flatMap(([key, { run: of, task, text }]) => {
    const work = runs.get(of)?.snapshot.tasks[task]?.work;
    const isHere =
      (run === null || of === run) && work?.kind === 'turn' && (context === null || work.context === context);
    return isHere && text !== '' ? [key] : [];
  });
}

function readersOf({ definition, snapshot }: RunNode, context: string | null): readonly string[] {
  const named = (definition?.workflow.agents ?? []).filter((agent) => context === null || agent.context === context);
  return [...new Set([...named.map(({ name }) => name), ...(context === null ? Object.keys(snapshot.agents) : [])])];
}

const KINDS = new Set([
  'call.answered',
  'tool.finished',
  'message.added',
  'turn.nudged',
  'question.answered',
  'activity.noted',
  'call.failed',
]);

/** Whether a record of this kind is shown where conversations are; else it is among the events. */
export const isConversation = (kind: string): boolean => KINDS.has(kind);
