import { NO_CHANGE_TOOL } from '../../../core/step/turn/owed-changes.ts';
import type { ToolSpec } from '../../../core/model/role.ts';
import {
  noChangeNeededTool,
  REPORT_PROGRESS,
  reportProgressTool,
  SUBMIT_OUTPUT,
  submitOutputSpec,
  submitOutputTool,
} from '../../../tools/engine-tools.ts';
import type { Tool } from '../../../tools/port.ts';
import type { Speaker } from '../turn/who-speaks.ts';

/**
 * Tools that an agent has because of its turn, whatever its role and mode: to submit what it owes (PH4), to report its
 * progress (PH5), to say why it changes no file (A7). None of them ends the turn.
 */
type Turn = Pick<Speaker, 'role' | 'work' | 'canDecline'>;

/** Independent of what was submitted already: the list of tools stays the same for the whole turn. */
export function turnSpecs(turn: Turn): readonly ToolSpec[] {
  const submit = submitOutputSpec(turn.work.outputs ?? []);
  const specs = [submit, reportProgressTool.spec, noChangeNeededTool.spec].filter((spec) => spec !== null);
  return specs.filter(({ name }) => turnTool(turn, name) !== null);
}

/** The turn's tool of this name; a repeated submission replaces the earlier one. */
export function turnTool({ role, work, canDecline }: Turn, name: string): Tool | null {
  // A reply of the role with the same name takes precedence.
  if (role.parsingTools.some((tool) => tool.name === name)) return null;
  const { outputs } = work;
  if (name === NO_CHANGE_TOOL) return canDecline ? noChangeNeededTool : null;
  if (name === SUBMIT_OUTPUT && outputs !== undefined && outputs.length > 0) return submitOutputTool(outputs);
  return name === REPORT_PROGRESS && (outputs !== undefined || role.reportsProgress === true)
    ? reportProgressTool
    : null;
}
