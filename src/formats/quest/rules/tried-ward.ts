import { isJsonObject } from '../../../core/model/json.ts';
import type { EndedWork, QuestInput, QuestProblem } from './quest-state.ts';

/** The meaning of a failed try of a Ward command on the untouched project. */
export interface FailedTry {
  readonly text: string;
  /** It cannot be run at all; else it is only red. */
  readonly isUnusable: boolean;
}

/** Codes of commands that ran. */
const RAN: ReadonlySet<string> = new Set(['COMMAND_FAILED', 'COMMAND_TIMEOUT', 'COMMAND_KILLED']);

/** How shells, package managers, make and interpreters say that a command does not exist. */
const MISSING =
  /^(npm (ERR!|error) Missing script:|.*ERR_PNPM_NO_SCRIPT|error: Script not found|error Command "[^"]*" not found|make.*: \*\*\* (No rule to make target|\[.*\] Error 12[67])|\S*python\S*: No module named|error: Failed to spawn:)/m;

const MOST_OUTPUT = 600;

export function failedTry(ended: EndedWork, index: number, { ward, wardFrom }: QuestInput): FailedTry {
  const output = printedBy(ended).trim();
  const exitCode = exitCodeOf(ended);
  const end = exitCode === 0 ? `: ${ended.failure?.message ?? ''}` : ` ended with exit code ${exitCode}.`;
  const text = `${commandText(ward[index], wardFrom[index])}${end}${output === '' ? '' : `\n${output.slice(-MOST_OUTPUT)}`}`;
  const isMissing = exitCode === 126 || exitCode === 127 || MISSING.test(output);
  return { text, isUnusable: isMissing || !RAN.has(ended.failure?.code ?? '') };
}

const commandText = (command = '', file = ''): string => `\`${command}\`${file === '' ? '' : ` (from ${file})`}`;

export function wardUnusable(unusable: readonly string[]): QuestProblem {
  return {
    code: 'WARD_UNUSABLE',
    message: `Ward cannot be run, so no agent was started.\n${unusable.join('\n')}`,
    hint: 'Fix the command where it is named, or name others under "ward" in .troupe/config.yaml. What git ignores, such as node_modules, is not in a workspace: "setup: npm ci" there makes one ready.',
  };
}

/** The output of a command; empty if it did not run. */
export function printedBy({ output }: Pick<EndedWork, 'output'>): string {
  const printed = isJsonObject(output) ? output['output'] : null;
  return typeof printed === 'string' ? printed : '';
}

/** The output of a failed command, and why it counts as failed. */
export const failedOutput = (ended: EndedWork): string =>
  [printedBy(ended), ended.failure?.message ?? ''].filter((part) => part !== '').join('\n');

/** 0 without an exit code. */
function exitCodeOf({ output }: EndedWork): number {
  const code = isJsonObject(output) ? output['exitCode'] : null;
  return typeof code === 'number' ? code : 0;
}
