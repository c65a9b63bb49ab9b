import type { Problem } from '../core/fault.ts';
import type { Workflow } from '../core/workflow.ts';
import type { PlacedRole } from './roles/placed-role.ts';
import { nameHint } from './source/closest-name.ts';

type Roles = Readonly<Record<string, PlacedRole>>;

/** The roles of the project and those that workflows make from them. A role that nobody has is told where it is needed. */
export function withCasts(
  roles: Roles,
  workflows: readonly Workflow[],
): { readonly roles: Roles; readonly problems: readonly Problem[] } {
  const made: Record<string, PlacedRole> = {};
  const problems: Problem[] = [];
  for (const workflow of workflows) {
    for (const [name, { of, change }] of Object.entries(workflow.casts ?? {})) {
      const base = Object.hasOwn(roles, of) ? roles[of] : undefined;
      if (base === undefined) problems.push(unknownBase(workflow, of, Object.keys(roles)));
      made[name] = { ...(base ?? NOBODY), ...change, name };
    }
  }
  return { roles: { ...roles, ...made }, problems };
}

/** Stands in for a role that is missing, so that it is told once. */
const NOBODY: PlacedRole = {
  name: '',
  level: 'base',
  systemMessage: '',
  examples: [],
  excludedTools: [],
  includedTools: null,
  parsingTools: [],
};

function unknownBase(workflow: Workflow, of: string, known: readonly string[]): Problem {
  const hint = nameHint(of, known);
  return {
    code: 'ROLE_UNKNOWN',
    message: `There is no role named "${of}".`,
    severity: 'error',
    ...(workflow.file === undefined ? {} : { file: workflow.file }),
    path: `casts.${of}`,
    ...(hint === undefined ? {} : { hint }),
  };
}
