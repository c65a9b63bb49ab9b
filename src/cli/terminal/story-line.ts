import { choiceLines } from '../../protocol/answer-words.ts';
import { costText, durationText } from '../../core/look/amount-text.ts';
import { addCost, type CostUsd } from '../../core/model/usage.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';
import type { Style } from './colour.ts';
import { chargeOf } from '../../core/record/charge.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import { advanceClock, runTime, startClock } from '../../core/fold/work-clock.ts';
import type { RunClock } from '../../core/fold/run-clock.ts';
import { counted } from '../../protocol/amounts.ts';

/** One line about something that happened, for people. */
export interface StoryLine {
  readonly who: string;
  readonly text: string;
  readonly style: Style | null;
  /** How long it took and what it cost. */
  readonly spent?: string | undefined;
  /** A step of the engine rather than of the work: only with `--verbose`. */
  readonly isDetail?: true;
}

export const say = (who: string, text: string, style: Style | null = null): StoryLine => ({ who, text, style });

export const detail = (who: string, text: string): StoryLine => ({ who, text, style: 'dim', isDetail: true });

/** `12 s, $0.04`; what is unknown or next to nothing is left out. */
export function spentText(ms: number, costUsd: CostUsd = 0): string | undefined {
  const parts = [
    ...(ms < LEAST_MS ? [] : [durationText(ms)]),
    ...(costUsd === 0 || costUsd === null ? [] : [costText(costUsd)]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

const LEAST_MS = 100;

/** Time since a run began: `0:07`, `12:30`, `1:02:03`. */
export function clockText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}

const MOST_LINES = 20;

/** A question with its lines below each other: a list stays a list. */
export function questionLines(text: string): readonly string[] {
  const lines = plainText(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const shown = lines.slice(0, MOST_LINES).map((line) => `${/^ */.exec(line)?.[0] ?? ''}${oneLine(line, 400)}`);
  return lines.length > MOST_LINES ? [...shown, `… and ${lines.length - MOST_LINES} more lines`] : shown;
}

/** What a question says about its choices; all of it, since a person decides by it. */
export const choiceTexts = (question: Parameters<typeof choiceLines>[0]): readonly string[] =>
  choiceLines(question).map((line) => `${/^ */.exec(line)?.[0] ?? ''}${oneLine(line, 400)}`);

/** How far a run and those below it are: steps done of those that are known, time and cost. */
export class RunProgress {
  readonly #units = new Map<string, boolean>();
  #turns = 0;
  #costUsd: CostUsd = 0;
  #clock: RunClock | null = null;

  /** Runs below are part of the work of the root: they have their own cost, and no time. */
  learn(run: string, record: JournalRecord, isRoot: boolean): void {
    const { fact, at } = record;
    this.#clock ??= startClock(at);
    if (isRoot) this.#clock = advanceClock(this.#clock, record);
    // What came before a fork was paid by the run it was forked from.
    if (isRoot && fact.kind === 'run.forked') this.#costUsd = 0;
    const charge = chargeOf(fact);
    if (charge !== null && !charge.isOfChild) this.#costUsd = addCost(this.#costUsd, charge.costUsd);
    if (fact.kind === 'units.added')
      for (const { id } of fact.units) this.#units.set(`${run} ${fact.task} ${id}`, false);
    if (fact.kind === 'unit.ended') this.#units.set(`${run} ${fact.task} ${fact.unit}`, true);
  }

  /** One unit of a pool, or one turn of an agent. */
  stepEnded(run: string, pool: string | null, unit: string | null): void {
    if (pool !== null && unit !== null) this.#units.set(`${run} ${pool} ${unit}`, true);
    else this.#turns += 1;
  }

  /** Milliseconds of work until a moment, as every view of the run has them. */
  elapsed(at: number): number {
    return this.#clock === null ? 0 : runTime(this.#clock, at).workedMs;
  }

  text(now: number): string {
    const all = [...this.#units.values()];
    const done = all.filter(Boolean).length;
    const steps = all.length === 0 ? counted(this.#turns, 'turn') : `${done} of ${all.length} steps`;
    const cost = this.#costUsd === 0 || this.#costUsd === null ? [] : [costText(this.#costUsd)];
    return [steps, clockText(this.elapsed(now)), ...cost].join(' · ');
  }
}
