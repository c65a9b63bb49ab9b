import { useDeferredValue, useMemo } from 'react';
import type { RunState } from '../../model/run-tree.ts';
import { useSelection } from '../../model/selection.ts';
import { transcriptOf } from '../../model/transcript-fold.ts';
import { useShownRun, useTree } from '../../model/use-run.ts';
import { ALL, contextOf, transcriptRows, type Look, type Row } from './transcript-rows.ts';

export interface ShownTranscript {
  readonly run: RunState;
  readonly look: Look;
  readonly rows: readonly Row[];
  /** By `run task`: words that are being said here. */
  readonly live: readonly string[];
  /** Those who may read along. */
  readonly agents: readonly string[];
}

/** The conversation that the address means. */
export function useTranscript(): ShownTranscript | null {
  const run = useShownRun();
  const [selection] = useSelection();
  const transcript = useDeferredValue(run === null ? null : transcriptOf(run));
  const context =
    run === null || transcript === null || selection.context === ALL ? null : contextOf(run, selection, transcript);
  const agents = run === null ? [] : readersOf(run, context);
  const as = selection.as !== undefined && agents.includes(selection.as) ? selection.as : null;
  const rows = useMemo(
    () => (transcript === null ? [] : transcriptRows(transcript, { context, as })),
    [transcript, context, as],
  );
  const live = useTree(
    (tree) => liveIn(run, context, [...tree.words.values()]),
    (a, b) => a.join() === b.join(),
  );
  if (run === null) return null;
  return { run, look: { context, as }, rows, live: as === null ? live : [], agents };
}

function liveIn(
  run: RunState | null,
  context: string | null,
  words: readonly { readonly run: string; readonly task: string; readonly text: string }[],
): readonly string[] {
  return words.flatMap(({ run: of, task, text }) => {
    const work = run?.snapshot.tasks[task]?.work;
    const isHere =
      of === run?.run && text !== '' && work?.kind === 'turn' && (context === null || work.context === context);
    return isHere ? [`${of} ${task}`] : [];
  });
}

function readersOf({ definition, snapshot }: RunState, context: string | null): readonly string[] {
  const named = (definition?.workflow.agents ?? []).filter((agent) => context === null || agent.context === context);
  return [...new Set([...named.map(({ name }) => name), ...(context === null ? Object.keys(snapshot.agents) : [])])];
}
