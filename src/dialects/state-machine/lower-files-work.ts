import type { CommandWork, MergeWork } from '../../core/workflow.ts';
import type { SourcePath } from '../source/source-path.ts';
import { checkAgent } from './check-agent.ts';
import { lowerCode } from './lower-code.ts';
import type { LoweringScope } from './lower-workflow.ts';
import type { CommandDocument, DiffDocument, MergeDocument } from './action-schema.ts';

/** Work on files that no agent does: the engine's own commands, what was changed, and bringing a workspace home. */

export function lowerCommand(document: CommandDocument, path: SourcePath, scope: LoweringScope): CommandWork {
  const { run, ok_exit_codes: okExitCodes = [0], agent, network, holds, repeat } = document;
  if (agent !== undefined) checkAgent(agent, [...path, 'agent'], scope);
  return {
    kind: 'command',
    // An expression that cannot be read has been told, and the workflow is not given out.
    command: lowerCode(run, [...path, 'run'], scope) ?? { kind: 'undefined' },
    okExitCodes,
    ...(repeat === undefined ? {} : { repeat }),
    ...(agent === undefined ? {} : { agent }),
    ...(network === undefined ? {} : { network }),
    ...(holds === undefined ? {} : { holds }),
  };
}

export function lowerMerge(
  { agent, unit, verify, checks }: MergeDocument,
  path: SourcePath,
  scope: LoweringScope,
): MergeWork {
  if (agent !== undefined) checkAgent(agent, [...path, 'agent'], scope);
  if (agent !== undefined && unit !== undefined) {
    const where = { path: [...path, 'unit'], part: 'key' } as const;
    scope.report.error('ACTION_CONFLICT', 'A merge brings in the files of an "agent" or of a "unit", not both.', where);
  }
  const lowered = Object.entries({ unit, verify, checks }).flatMap(([key, code]) => {
    const read = code === undefined ? null : lowerCode(code, [...path, key], scope);
    return read === null ? [] : [[key, read] as const];
  });
  return { kind: 'merge', agent: agent ?? null, ...Object.fromEntries(lowered) };
}

/** The engine does it itself; the command is only its name. */
export function lowerDiff({ agent, tests }: DiffDocument, path: SourcePath, scope: LoweringScope): CommandWork {
  if (agent !== undefined) checkAgent(agent, [...path, 'agent'], scope);
  return {
    kind: 'command',
    command: { kind: 'literal', value: 'diff' },
    okExitCodes: [0],
    builtin: tests === true ? 'diff and tests' : 'diff',
    ...(agent === undefined ? {} : { agent }),
  };
}
