import type { JsonObject } from '../../src/core/model/json.ts';
import { openQuestions } from '../../src/core/look/open-questions.ts';
import { resultState } from '../../src/core/look/result-state.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';
import type { RunCard } from '../../src/protocol/web/run-card.ts';
import { liveRunsOf, type RunTree } from '../model/run-tree.ts';
import { settledMark } from '../model/run-result.ts';

/** The name of a run: its title; else its first input text; else its id. */
export function runTitleText(tree: RunTree, card: RunCard | null): string {
  const snapshot = tree.runs.get(tree.root)?.snapshot;
  const title = card?.title ?? '';
  if (title !== '') return snapshot?.forkedFrom == null ? title : withoutOrigin(title);
  return firstText(snapshot?.input ?? {}) ?? tree.root;
}

function firstText(input: JsonObject): string | null {
  const text = Object.values(input).find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? (text.trim().split('\n')[0] ?? '').slice(0, 120) : null;
}

/** Where a fork comes from stands beside its title, with the way there. */
const withoutOrigin = (title: string): string => title.replace(/^fork of \S+ at [^:]+: /, '');

export const HALTED_WORDS =
  'The process that drove this run is gone. Everything it recorded is kept: resume the run to continue from there.';

/** How a run stands: by its records, and by whether a process still drives it. */
export function runStatusText(tree: RunTree): string {
  const snapshot = tree.runs.get(tree.root)?.snapshot;
  if (snapshot?.result !== null && snapshot !== undefined) {
    const { outcome } = snapshot.result;
    return settledMark({ outcome, result: resultState(snapshot), isDriven: tree.isDriven });
  }
  const open = liveRunsOf(tree).map((run) => run.snapshot);
  if (open.some(standsStill)) return 'paused';
  if (open.some((one) => openQuestions(one).length > 0)) return 'waiting';
  if (tree.isDriven !== false) return 'running';
  return tree.queued === null ? 'stopped' : 'queued';
}

const standsStill = ({ held, paused }: Snapshot): boolean => held !== null || paused !== null;
