import { jsonEqual } from '../../core/model/json-equal.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { ChangedPart } from '../../formats/family.ts';
import { familyOf } from '../../formats/families.ts';

/** One changed part of a definition. */
export interface DefinitionChange {
  readonly of: 'workflow' | 'role' | 'settings';
  /** The workflow, the role, or the setting. */
  readonly name: string;
  readonly how: 'added' | 'removed' | 'changed';
  /** Of what was changed: what of it, in people's words, such as `state "review" added`. */
  readonly what: readonly string[];
}

/** How two definitions differ, for people. Where something was written does not count: only what it says. */
export function definitionDiff(before: Definition, after: Definition): readonly DefinitionChange[] {
  const [old, now] = [plain(before), plain(after)];
  return [
    ...diffWorkflow(before.workflow.name, old.workflow, now.workflow),
    ...diffEach(old.library, now.library).flatMap(({ name, how }) =>
      how === 'changed'
        ? diffWorkflow(name, objectOf(old.library, name), objectOf(now.library, name))
        : [{ of: 'workflow' as const, name, how, what: [] }],
    ),
    ...diffEach(old.roles, now.roles).map(({ name, how }): DefinitionChange => {
      const what = how === 'changed' ? diffKeys(objectOf(old.roles, name), objectOf(now.roles, name)) : [];
      return { of: 'role', name, how, what };
    }),
    ...diffEach(old.settings, now.settings).map(({ name, how }) => ({ of: 'settings' as const, name, how, what: [] })),
  ];
}

interface PlainDefinition {
  readonly workflow: JsonObject;
  readonly library: JsonObject;
  readonly roles: JsonObject;
  /** All other parts of a definition. */
  readonly settings: JsonObject;
}

function plain({ workflow, library, roles, chosen: _chosen, ...settings }: Definition): PlainDefinition {
  const others = Object.entries(library).map(([name, one]) => [name, plainWorkflow(one)] as const);
  return {
    workflow: plainWorkflow(workflow),
    library: Object.fromEntries(others),
    roles: jsonOf(roles),
    settings: jsonOf(settings),
  };
}

/** Lines move when somebody writes a comment, and the same file has another name from another folder. */
function plainWorkflow({ file: _file, code: _code, ...workflow }: Workflow): JsonObject {
  return JSON.parse(JSON.stringify(workflow), (key, value: unknown) =>
    key === 'at' && isPosition(value) ? undefined : value,
  ) as JsonObject;
}

function isPosition(value: unknown): boolean {
  const { line, column, ...rest } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof line === 'number' && typeof column === 'number' && Object.keys(rest).length === 0;
}

/** As it comes out of the journal: without keys that hold nothing. */
const jsonOf = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

function objectOf(all: JsonObject, name: string): JsonObject {
  const found = all[name];
  return isJsonObject(found) ? found : {};
}

interface Named {
  readonly name: string;
  readonly how: DefinitionChange['how'];
}

function diffEach(old: JsonObject, now: JsonObject): readonly Named[] {
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names].flatMap((name): readonly Named[] => {
    if (!Object.hasOwn(now, name)) return [{ name, how: 'removed' }];
    if (!Object.hasOwn(old, name)) return [{ name, how: 'added' }];
    return jsonEqual(old[name], now[name]) ? [] : [{ name, how: 'changed' }];
  });
}

const diffKeys = (old: JsonObject, now: JsonObject): readonly string[] => diffEach(old, now).map(({ name }) => name);

/** The lists of a workflow, with the word for one entry. */
const LISTS: Readonly<Record<string, string>> = {
  states: 'state',
  agents: 'agent',
  contexts: 'context',
  inputs: 'input',
  data: 'variable',
  casts: 'role',
};

/** Parts that have no key in a file. */
const WORDS: Readonly<Record<string, string>> = { plan: 'settings' };

function diffWorkflow(name: string, old: JsonObject, now: JsonObject): readonly DefinitionChange[] {
  const parts = diffKeys(old, now).flatMap((key) => changedParts(key, old[key], now[key]));
  const what =
    (parts.length === 0 ? undefined : familyOf(now as unknown as Workflow).changeWords?.(now, parts)) ??
    parts.map(
      (part) =>
        `${part.name === null ? (WORDS[part.key] ?? part.key) : `${LISTS[part.key]} "${part.name}"`} ${part.how}`,
    );
  // The order of a list alone may be another one.
  const isSame = what.length === 0 && jsonEqual(old, now);
  return isSame
    ? []
    : [{ of: 'workflow', name, how: 'changed', what: what.length === 0 ? ['the order changed'] : what }];
}

function changedParts(key: string, old: Json | undefined, now: Json | undefined): readonly ChangedPart[] {
  if (LISTS[key] === undefined) return [{ key, name: null, how: 'changed', old, now }];
  const [before, after] = [byName(old), byName(now)];
  return diffEach(before, after).map(({ name, how }) => ({ key, name, how, old: before[name], now: after[name] }));
}

function byName(value: Json | undefined): JsonObject {
  if (!Array.isArray(value)) return isJsonObject(value) ? value : {};
  const list = value as readonly Json[];
  return Object.fromEntries(list.map((one, at) => [nameOf(one) ?? String(at), one]));
}

const nameOf = (one: Json): string | undefined =>
  isJsonObject(one) && typeof one['name'] === 'string' ? one['name'] : undefined;
