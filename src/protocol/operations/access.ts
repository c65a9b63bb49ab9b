import type { z } from 'zod';
import { FAMILY_ACCESS } from '../../formats/registry/views-access.ts';
import type { IMMEDIATE_ACTS, ORDERS } from './acts.ts';
import type { PROJECT } from './project.ts';
import type { VIEWS } from './views.ts';

/** Access rights of a token on a team's server. Each role includes those before it. */
export const ACCESS_ROLES = ['viewer', 'operator', 'admin'] as const;

export type AccessRole = (typeof ACCESS_ROLES)[number];

type Operations = typeof ORDERS & typeof IMMEDIATE_ACTS & typeof VIEWS & typeof PROJECT;

/** Tokens are not among them: they are managed on the server's own machine only. */
export type OperationName = keyof Operations;

/** A field of a request, or one inside it. */
type FieldOf<Name extends OperationName> = keyof z.input<Operations[Name]['request']> extends infer Key extends string
  ? Key | `${Key}.${string}`
  : never;

/** The least role, and the fields of the request that only an admin may give: with any value, or with those that a pattern names. */
type Need<Name extends OperationName> =
  | AccessRole
  | {
      readonly role: AccessRole;
      readonly adminFields: readonly FieldOf<Name>[];
      readonly adminValues?: Readonly<Partial<Record<FieldOf<Name>, RegExp>>>;
    };

/** Starting a file runs its code outside the sandbox; named workflows were put there by the project's owner. */
const WORKFLOW_FILE = /[/\\#]|\.(?:json|ya?ml|[cm]?[jt]s)$/i;

const STARTING = {
  role: 'operator',
  adminFields: ['limits', 'deliver.verify'],
  adminValues: { workflow: WORKFLOW_FILE },
} as const;

/** Every operation has its entry: one without a role does not compile. */
const NEEDS: { readonly [Name in OperationName]: Need<Name> } = {
  start: STARTING,
  scheduleAdd: STARTING,
  resume: { role: 'operator', adminFields: ['limits', 'deliver', 'definition'] },
  answer: 'operator',
  fork: { role: 'operator', adminFields: ['deliver.verify'] },
  tell: 'operator',
  pause: 'operator',
  cancel: 'operator',
  // A patch is written to any path of the server's machine.
  deliver: { role: 'operator', adminFields: ['allow', 'verify', 'to.file'] },
  discard: 'admin',
  archive: 'admin',
  rollback: 'admin',
  prune: 'admin',
  ...FAMILY_ACCESS,
  show: 'viewer',
  messages: 'viewer',
  metrics: 'viewer',
  branches: 'viewer',
  requests: 'viewer',
  artifacts: 'viewer',
  artifact: 'viewer',
  changes: 'viewer',
  rawLogs: 'viewer',
  list: 'viewer',
  search: 'viewer',
  schedules: 'viewer',
  scheduleRemove: 'operator',
  workers: 'viewer',
  workflows: 'viewer',
  workflow: 'viewer',
  runGraph: 'viewer',
  graph: 'viewer',
  roles: 'viewer',
  prompt: 'viewer',
  check: 'operator',
};

interface PlainNeed {
  readonly role: AccessRole;
  readonly adminFields: readonly string[];
  readonly adminValues?: Readonly<Record<string, RegExp | undefined>>;
}

function needOf(operation: OperationName): PlainNeed {
  const need: AccessRole | PlainNeed = NEEDS[operation];
  return typeof need === 'string' ? { role: need, adminFields: [] } : need;
}

/** The least role for an operation, with this request where it is known. */
export const neededRole = (operation: OperationName, request: object = {}): AccessRole =>
  adminParts(operation, request).length > 0 ? 'admin' : needOf(operation).role;

/** Fields that only an admin may give. */
export const adminFields = (operation: OperationName): readonly string[] => needOf(operation).adminFields;

/** The parts of a request that only an admin may use. */
function adminParts(operation: OperationName, request: object): readonly string[] {
  const { adminFields: fields, adminValues = {} } = needOf(operation);
  const values = Object.entries(adminValues).flatMap(([field, pattern]) => {
    const value = valueAt(request, field);
    return typeof value === 'string' && pattern?.test(value) === true ? [`${field} "${value}"`] : [];
  });
  return [...fields.filter((field) => valueAt(request, field) !== undefined), ...values];
}

export const hasRole = (role: AccessRole, needed: AccessRole): boolean =>
  ACCESS_ROLES.indexOf(role) >= ACCESS_ROLES.indexOf(needed);

/** Why a role may not do it; null if it may. */
export function roleProblem(role: AccessRole, operation: OperationName, request: object = {}): string | null {
  const needed = neededRole(operation, request);
  if (hasRole(role, needed)) return null;
  const parts = adminParts(operation, request);
  const what = parts.length === 0 ? `"${operation}"` : `"${operation}" with ${parts.join(', ')}`;
  return `Your role is ${role}; ${what} needs the role ${needed}.`;
}

/** The same for an answer to a limit: going on past it raises a budget. */
export const limitAnswerProblem = (role: AccessRole, answer: string): string | null =>
  role === 'admin' || answer.trim().toLowerCase() === 'stop'
    ? null
    : `Your role is ${role}; letting a run continue past its limit needs the role admin.`;

function valueAt(request: unknown, field: string): unknown {
  const [first = '', ...rest] = field.split('.');
  if (typeof request !== 'object' || request === null || !Object.hasOwn(request, first)) return undefined;
  const value = (request as Readonly<Record<string, unknown>>)[first];
  return rest.length === 0 ? value : valueAt(value, rest.join('.'));
}
