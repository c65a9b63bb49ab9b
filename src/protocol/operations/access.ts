import type { z } from 'zod';
import type { DEEDS, ORDERS } from './acts.ts';
import type { PROJECT } from './project.ts';
import type { VIEWS } from './views.ts';

/** What the holder of a token may do on a team's server. Each role may do what those before it may. */
export const ACCESS_ROLES = ['viewer', 'operator', 'admin'] as const;

export type AccessRole = (typeof ACCESS_ROLES)[number];

type Operations = typeof ORDERS & typeof DEEDS & typeof VIEWS & typeof PROJECT;

/** Tokens are not among them: they are managed on the server's own machine only. */
export type OperationName = keyof Operations;

/** A field of a request, or one inside it. */
type FieldOf<Name extends OperationName> = keyof z.input<Operations[Name]['request']> extends infer Key extends string
  ? Key | `${Key}.${string}`
  : never;

/** The least role, and the fields of the request that only an admin may give. */
type Need<Name extends OperationName> =
  | AccessRole
  | { readonly role: AccessRole; readonly adminFields: readonly FieldOf<Name>[] };

/** Every operation has its entry: one without a role does not compile. */
const NEEDS: { readonly [Name in OperationName]: Need<Name> } = {
  start: { role: 'operator', adminFields: ['limits'] },
  resume: { role: 'operator', adminFields: ['limits', 'deliver', 'definition'] },
  answer: 'operator',
  fork: 'operator',
  tell: 'operator',
  pause: 'operator',
  cancel: 'operator',
  // A patch is written to any path of the server's machine.
  deliver: { role: 'operator', adminFields: ['allow', 'verify', 'to.file'] },
  discard: 'admin',
  archive: 'admin',
  rollback: 'admin',
  prune: 'admin',
  show: 'viewer',
  debate: 'viewer',
  messages: 'viewer',
  metrics: 'viewer',
  branches: 'viewer',
  requests: 'viewer',
  compare: 'viewer',
  artifacts: 'viewer',
  artifact: 'viewer',
  changes: 'viewer',
  rawLogs: 'viewer',
  list: 'viewer',
  search: 'viewer',
  workflows: 'viewer',
  workflow: 'viewer',
  runGraph: 'viewer',
  graph: 'viewer',
  roles: 'viewer',
  prompt: 'viewer',
  check: 'operator',
};

const needOf = (operation: OperationName): AccessRole | { role: AccessRole; adminFields: readonly string[] } =>
  NEEDS[operation];

/** The least role for an operation, with this request where it is known. */
export function neededRole(operation: OperationName, request: object = {}): AccessRole {
  const need = needOf(operation);
  if (typeof need === 'string') return need;
  return need.adminFields.some((field) => isGiven(request, field)) ? 'admin' : need.role;
}

/** Fields that only an admin may give. */
export function adminFields(operation: OperationName): readonly string[] {
  const need = needOf(operation);
  return typeof need === 'string' ? [] : need.adminFields;
}

export const hasRole = (role: AccessRole, needed: AccessRole): boolean =>
  ACCESS_ROLES.indexOf(role) >= ACCESS_ROLES.indexOf(needed);

/** Why somebody may not do it; null where they may. */
export function roleProblem(role: AccessRole, operation: OperationName, request: object = {}): string | null {
  const needed = neededRole(operation, request);
  if (hasRole(role, needed)) return null;
  const given = adminFields(operation).filter((field) => isGiven(request, field));
  const what = needed === 'admin' && given.length > 0 ? `"${operation}" with ${given.join(', ')}` : `"${operation}"`;
  return `Your role is ${role}; ${what} needs the role ${needed}.`;
}

/** The same for an answer to a limit: going on past it raises a budget. */
export const limitAnswerProblem = (role: AccessRole, answer: string): string | null =>
  role === 'admin' || answer.trim().toLowerCase() === 'stop'
    ? null
    : `Your role is ${role}; letting a run go on past its limit needs the role admin.`;

function isGiven(request: unknown, field: string): boolean {
  const [first = '', ...rest] = field.split('.');
  if (typeof request !== 'object' || request === null || !Object.hasOwn(request, first)) return false;
  const value = (request as Readonly<Record<string, unknown>>)[first];
  return rest.length === 0 ? value !== undefined : isGiven(value, rest.join('.'));
}
