import type { EndedState } from '../../../core/fold/snapshot.ts';
import { isJsonObject, jsonText } from '../../../core/model/json.ts';

/** The engine's evidence about the files for a reviewer: its own test result, then the diff (A7). */
export function seenEvidence(last: EndedState | null, before: SeenBefore): string {
  if (last === null || last.state.endsWith(LOOK)) return UNTESTED;
  return last.state.endsWith(DIFF_SUFFIX) ? withChanges(before.seen, last) : testResult(before.ward, last);
}

function testResult(ward: readonly string[], { outcome, output, failure }: EndedState): string {
  const commands = ward.map((command) => `\`${command}\``).join(', ');
  if (outcome !== 'ok' || !isJsonObject(output))
    return `The engine could not run ${commands}: ${failure?.message ?? ''}`;
  const { exitCode, output: printed } = output;
  const verdict = exitCode === 0 ? 'passed' : 'FAILED';
  return `The engine ran ${commands} on the files as they are now: exit code ${jsonText(exitCode)} (${verdict}). The output ended with:\n\n${jsonText(printed).slice(-MOST_CHARS)}`;
}

function withChanges(tests: string, { outcome, output, failure }: EndedState): string {
  const changes = outcome === 'ok' ? jsonText(output) : (failure?.message ?? '');
  return `# Evidence from the engine\n\n## Tests\n\n${tests}\n\n## All changes since the run began\n\n${changes}\n\n`;
}

export interface SeenBefore {
  /** The commands that the project checks itself with. */
  readonly ward: readonly string[];
  /** The test result. */
  readonly seen: string;
}

/** How the states end in which the engine looks. */
export const LOOK = '/look';
export const DIFF_SUFFIX = '/diff';

const MOST_CHARS = 4000;

const UNTESTED = 'The engine ran no tests: it was given no test command. Look for one in the project, and run it.';
