import { historyOf } from '../../model/run-history.ts';
import { useDeferredValue, useMemo } from 'react';
import type { RunNode, RunTree } from '../../model/run-tree.ts';
import { useSelection, type Selection } from '../../model/selection.ts';
import type { Entry } from '../../model/transcript-entry.ts';
import { useShownRun, useTree } from '../../model/use-run.ts';
import { ALL, contextOf, entriesOfTree, transcriptRows, type RowLook, type Row } from './transcript-rows.ts';

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
  const tree = useDeferredValue(
    useTree(
      (one) => one,
      (a, b) => a.runs === b.runs,
    ),
  );
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
