import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Problem } from '../../../core/model/fault.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import {
  type ConditionCheck,
  validateDefinition,
  type Workflow as StageWorkflow,
  type WorkflowDefinition,
} from '../stages.ts';
import { type RuleRow, ruleRowsOf } from '../rules/stage-definition.ts';
import { processWide } from '../rules/ambient.ts';
import { workflowsOfModule } from '../../../source/workflow-module.ts';

/** A module of the user's, and what it registered while it was loaded. */
export interface ImportedModule {
  readonly exports: unknown;
  /** By the names they were registered under; those of modules loaded before stand among them. */
  readonly conditions: ReadonlyMap<string, ConditionCheck>;
  /** Workflows that this module registered. */
  readonly registered: readonly StageWorkflow[];
}

const conditions = processWide('conditions', () => new Map<string, ConditionCheck>());
const workflows = processWide('workflows', () => new Map<string, StageWorkflow>());

const modules = new Map<string, { readonly hash: string; readonly module: Promise<ImportedModule> }>();
let last: Promise<unknown> = Promise.resolve();

/**
 * Loads a module, once for each content: importing it runs it, and what it registers must be known as its own. Two of
 * them never load at the same time, and a name that another one registered too is no obstacle.
 */
export function importModule(path: string, hash = ''): Promise<ImportedModule> {
  const full = resolve(path);
  const known = modules.get(full);
  if (known?.hash === hash) return known.module;
  const url = pathToFileURL(full);
  // The loader keeps what it has seen under an address for good.
  if (known !== undefined) {
    reloadImports();
    url.searchParams.set(VERSION, hash);
  }
  const module = last.then(() => load(url.href));
  last = module.catch(() => undefined);
  modules.set(full, { hash, module });
  return module;
}

const VERSION = 'troupe-code';
let isReloading = false;

/** A new version of a module may import new versions of its files, too. */
function reloadImports(): void {
  if (isReloading) return;
  isReloading = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      const version = /^\.{1,2}\//.test(specifier) ? versionOf(context.parentURL) : null;
      if (version === null) return found;
      const url = new URL(found.url);
      url.searchParams.set(VERSION, version);
      return { ...found, url: url.href };
    },
  });
}

const versionOf = (url: string | undefined): string | null =>
  url === undefined || !URL.canParse(url) ? null : new URL(url).searchParams.get(VERSION);

async function load(url: string): Promise<ImportedModule> {
  const before = { conditions: new Map(conditions), workflows: new Map(workflows) };
  conditions.clear();
  workflows.clear();
  try {
    const exports: unknown = await import(url);
    const registered = [...new Set(workflows.values())];
    return { exports, conditions: new Map([...before.conditions, ...conditions]), registered };
  } finally {
    addMissing(conditions, before.conditions);
    addMissing(workflows, before.workflows);
  }
}

function addMissing<T>(to: Map<string, T>, from: ReadonlyMap<string, T>): void {
  for (const [name, value] of from) if (!to.has(name)) to.set(name, value);
}

/** Calls something with the conditions as the module knows them. */
export function withConditions<T>(module: Pick<ImportedModule, 'conditions'>, call: () => T): T {
  const before = new Map(conditions);
  setAll(conditions, module.conditions);
  try {
    return call();
  } finally {
    setAll(conditions, before);
  }
}

function setAll<T>(map: Map<string, T>, values: ReadonlyMap<string, T>): void {
  map.clear();
  for (const [name, value] of values) map.set(name, value);
}

/** The content of a module as plain JSON: it may have been loaded elsewhere, where its functions stay. */
export interface ModuleContent {
  /** Made by `defineWorkflow`. */
  readonly native: readonly Workflow[];
  readonly stages: readonly StageContent[];
}

export interface StageContent {
  readonly definition: WorkflowDefinition;
  /** The rows of its routing table, where it has one. */
  readonly rules: readonly RuleRow[];
  readonly problems: readonly Problem[];
}

export function moduleContent(module: ImportedModule): ModuleContent {
  return {
    native: workflowsOfModule(module.exports),
    stages: stageWorkflowsOf(module).map((workflow) => ({
      definition: workflow.definition,
      rules: ruleRowsOf(workflow),
      problems: withConditions(module, () => validateDefinition(workflow)),
    })),
  };
}

/** The stage workflows of a module: exported by name, as the default or in a list, and registered ones. */
export function stageWorkflowsOf({ exports, registered }: ImportedModule): readonly StageWorkflow[] {
  const { default: first, ...named } = (exports ?? {}) as Readonly<Record<string, unknown>>;
  const found = [first, ...Object.values(named)].flat().filter(isStageWorkflow);
  return [...new Set([...found, ...registered])];
}

function isStageWorkflow(value: unknown): value is StageWorkflow {
  if (typeof value !== 'object' || value === null) return false;
  const { definition, routeMessage } = value as Partial<StageWorkflow>;
  return typeof definition === 'object' && definition !== null && typeof routeMessage === 'function';
}
