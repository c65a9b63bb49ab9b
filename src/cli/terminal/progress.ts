import type { Progress } from '../../app/world/progress-teller.ts';
import { durationText } from '../../core/look/amount-text.ts';
import { counted } from '../../protocol/amounts.ts';
import { oneLine } from '../../protocol/plain-text.ts';

const isSamePlace = (one: Progress, other: Progress): boolean =>
  one.run === other.run && one.workspace === other.workspace;

/** A line of `--json`: `progress.started`, `progress.ended` or `progress.failed`. */
export function progressLine({ id: _id, state, run, ...rest }: Progress, root: string | null): object {
  return { kind: `progress.${state}`, run: run ?? root, ...rest };
}

/** The text for work in progress. */
export function progressText({ what, workspace, command = '' }: Progress): string {
  if (what === 'project') return 'reading the project';
  return what === 'workspace'
    ? `making the workspace ${workspace}`
    : oneLine(`setting up ${workspace}: ${command}`, 100);
}

/** How it came out. */
export function doneText(progress: Progress): string {
  const { what, state, workspace, ms = 0, files } = progress;
  if (state === 'failed') return `${progressText(progress)}: failed after ${durationText(ms)}`;
  if (what === 'project')
    return `read the project${files === undefined ? '' : `: ${counted(files, 'file')}`} in ${durationText(ms)}`;
  return what === 'workspace'
    ? `the workspace ${workspace} is ready after ${durationText(ms)}`
    : `${workspace} is set up after ${durationText(ms)}`;
}

/**
 * A few lines at the bottom of a terminal that change in place, with ordinary lines scrolling above them.
 * It rewrites only what it wrote itself, inside synchronised output, and never clears the screen or the scrollback.
 */
export interface LiveLines {
  log(line: string): void;
  show(lines: readonly string[]): void;
  close(): void;
}

export interface TerminalStream {
  readonly columns?: number;
  write(text: string): unknown;
}

const ESCAPE = '\u001B[';
const BEGIN = `${ESCAPE}?2026h`;
const END = `${ESCAPE}?2026l`;

export function createLiveLines(stream: TerminalStream): LiveLines {
  let shown: readonly string[] = [];

  const draw = (above: string, lines: readonly string[]): void => {
    if (above === '' && lines.length === shown.length && lines.every((line, index) => line === shown[index])) return;
    stream.write(BEGIN + erase(shown.length) + above + lines.map((line) => `${line}\n`).join('') + END);
    shown = lines;
  };

  return {
    log: (line) => draw(`${line}\n`, shown),
    show: (lines) =>
      draw(
        '',
        lines.map((line) => fit(line, stream.columns || 80)),
      ),
    close: () => draw('', []),
  };
}

/** Up over our own lines, emptying each. */
const erase = (count: number): string => `${ESCAPE}1A${ESCAPE}2K`.repeat(count) + (count > 0 ? '\r' : '');

/** A line that wrapped would be two on the screen and one in our count. */
function fit(line: string, columns: number): string {
  let width = 0;
  let fitting = '';
  for (const character of line) {
    // Everything from Hangul upwards may be two columns wide; counting it so can only shorten the line.
    width += (character.codePointAt(0) ?? 0) >= 0x11_00 ? 2 : 1;
    if (width > columns - 2) return `${fitting}…`;
    fitting += character;
  }
  return line;
}

/** Long work as lines that are rewritten while it continues, with how long it has taken. What took long leaves a line behind. */
export class LiveWork {
  readonly #active = new Map<number, { readonly progress: Progress; readonly since: number }>();
  readonly #redraw: () => void;
  #ticking: NodeJS.Timeout | null = null;

  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  /** The line that stays, if there is one. */
  take(progress: Progress): string | null {
    if (progress.state === 'started') {
      this.#active.set(progress.id, { progress, since: Date.now() });
      this.#ticking ??= setInterval(this.#redraw, SECOND).unref();
      return null;
    }
    this.#active.delete(progress.id);
    if (this.#active.size === 0) this.rest();
    return progress.what === 'setup' || (progress.ms ?? 0) >= SECOND ? doneText(progress) : null;
  }

  lines(): readonly string[] {
    const all = [...this.#active.values()];
    // The setup of a workspace is a part of making it.
    const isPart = (one: Progress, other: Progress): boolean =>
      one.what === 'workspace' && other.what === 'setup' && isSamePlace(one, other);
    const shown = all.filter(({ progress }) => !all.some((other) => isPart(progress, other.progress)));
    return shown.map(({ progress, since }) => {
      const taken = Date.now() - since;
      return `• troupe  ${progressText(progress)} … ${taken < SECOND ? '' : durationText(taken)}`.trimEnd();
    });
  }

  rest(): void {
    if (this.#ticking !== null) clearInterval(this.#ticking);
    this.#ticking = null;
  }
}

const SECOND = 1000;

/** How long something may take before a word about it is due. */
export const PATIENCE_MS = 500;

/**
 * Where lines stay, what is over in a moment is not worth one: work is reported only once it has taken so long. A setup command
 * is the user's own and always reported.
 */
export function patiently(report: (progress: Progress) => void, patienceMs: number): (progress: Progress) => void {
  const held = new Map<number, { readonly progress: Progress; readonly timer: NodeJS.Timeout }>();
  const letGo = ({ id }: Progress): boolean => {
    clearTimeout(held.get(id)?.timer);
    return held.delete(id);
  };
  const hold = (progress: Progress): void => {
    const ring = (): void => void (letGo(progress) && report(progress));
    held.set(progress.id, { progress, timer: setTimeout(ring, patienceMs).unref() });
  };
  return (progress) => {
    // A setup is a part of making its workspace, which is reported first.
    if (progress.what === 'setup') {
      for (const { progress: whole } of held.values()) if (isSamePlace(whole, progress) && letGo(whole)) report(whole);
      return report(progress);
    }
    if (patienceMs === 0) return report(progress);
    if (progress.state === 'started') return hold(progress);
    // Work that blocked the timer may still have been long.
    if (!letGo(progress) || (progress.ms ?? 0) >= patienceMs) report(progress);
  };
}
