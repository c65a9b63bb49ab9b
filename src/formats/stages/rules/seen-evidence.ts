import type { EndedState } from '../../../core/fold/snapshot.ts';
import { isJsonObject } from '../../../core/model/json.ts';

/** What the engine saw of the files before a reviewer gets to read about them: its own test result, then the diff (A7). */
export function seenEvidence(last: EndedState | null, { ward, seen }: SeenBefore): string {
  if (last === null || last.state.endsWith(LOOK)) return UNTESTED;
  const { outcome, output, failure } = last;
  const isDone = outcome === 'ok';
  if (last.state.endsWith(DIFF)) return evidenceText(seen, isDone ? String(output) : (failure?.message ?? ''));
  const commands = ward.map((command) => `\`${command}\``).join(', ');
  if (!isDone || !isJsonObject(output)) return `The engine could not run ${commands}: ${failure?.message ?? ''}`;
  const { exitCode, output: printed } = output;
  const verdict = exitCode === 0 ? 'passed' : 'FAILED';
  const end = String(printed).slice(-MOST_CHARS);
  return `The engine ran ${commands} on the files as they are now: exit code ${String(exitCode)} (${verdict}). The output ended with:\n\n${end}`;
}

export interface SeenBefore {
  /** The commands that the project checks itself with. */
  readonly ward: readonly string[];
  /** What the tests came to. */
  readonly seen: string;
}

/** How the states end in which the engine looks. */
export const LOOK = '/look';
export const DIFF = '/diff';

const MOST_CHARS = 4000;

const UNTESTED = 'The engine ran no tests: it was given no test command. Look for one in the project, and run it.';

const evidenceText = (tests: string, changes: string): string =>
  `# Evidence from the engine\n\n## Tests\n\n${tests}\n\n## All changes since the run began\n\n${changes}\n\n`;
