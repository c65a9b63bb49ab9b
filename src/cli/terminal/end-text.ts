import { costText, durationText } from '../../core/amount-text.ts';
import { counted } from '../../protocol/amounts.ts';
import { outcomeText } from '../../protocol/outcome-text.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import type { Style } from './colour.ts';

/** How a run came out, what it took and what it cost: `✓ ok after 6.2 s, $0.18, 27 calls`. */
export function verdictText(line: SettledLine, workedMs: number): { readonly text: string; readonly style: Style } {
  const { status, outcome, failure, usage, costUsd } = line;
  const calls = usage.calls === 0 ? [] : [counted(usage.calls, 'call')];
  const cost = costUsd === 0 ? [] : [costText(costUsd)];
  const took = [durationText(workedMs), ...cost, ...calls].join(', ');
  if (status !== 'settled') return { text: `${STANDING[status]} after ${took}`, style: 'yellow' };
  const why = failure === null ? '' : oneLine(outcomeText(outcome, failure).slice(outcome.length), 400);
  const colon = why === '' ? '' : `: ${why.replace(/^[,:] /, '')}`;
  return {
    text: `${outcome === 'ok' ? '✓' : '✗'} ${outcome} after ${took}${colon}`,
    style: outcome === 'ok' ? 'green' : 'red',
  };
}

const STANDING: Readonly<Record<Exclude<SettledLine['status'], 'settled'>, string>> = {
  waiting: '? waiting for a person',
  paused: '‖ paused',
  running: '✗ stopped',
};

/** What to do next with a run that left no files. */
export const lookCommands = (run: string): readonly string[] => [
  `  show:  troupe show ${run}`,
  `  logs:  troupe logs ${run}`,
  `  again: troupe fork ${run} --at start`,
];
