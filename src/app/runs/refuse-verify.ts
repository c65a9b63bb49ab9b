import { Fault } from '../../core/fault.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Workflow } from '../../core/workflow.ts';
import { missingProgram } from '../ward/check-ward.ts';
import type { Preparation } from './session.ts';

/**
 * The command of a review whose program is nowhere on the path. In a terminal the run asks what to do about it before anybody is
 * paid; where nobody can be asked there is no run.
 */
export function refuseUnusableVerify(
  input: JsonObject,
  { dialect, data }: Workflow,
  { project, actors }: Preparation,
): void {
  const command = input['verify'] ?? data['verify'];
  if (dialect !== 'review' || typeof command !== 'string' || command.trim() === '') return;
  const why = missingProgram(command, { root: project.root, environment: actors.environment });
  if (why === null) return;
  throw new Fault('VERIFY_UNUSABLE', `The command \`${command}\` cannot be run: ${why} Nobody was set to work.`, {
    hint: 'Install what is missing, name another command with --input verify="…", or go without: --input verify=""',
    facts: { command },
  });
}
