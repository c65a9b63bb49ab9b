import { registerHooks } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { Fault, type Problem } from '../../../core/model/fault.ts';
import type { Json } from '../../../core/model/json.ts';
import {
  type ImportedModule,
  importModule,
  moduleContent,
  stageWorkflowsOf,
  withConditions,
} from '../parse/module-content.ts';
import { watchCalls } from '../rules/progress.ts';
import { offerOwnPackage } from '../../../tools/own/own-package.ts';
import type { StageStepInput } from './stage-step.ts';
import { takeStep, type StepMoment } from './take-step.ts';

/**
 * The thread that loads a user's module and calls its functions. It exists to be killed: an endless loop would otherwise block
 * everything. Orders come one at a time; each is answered once.
 */
export type ModuleOrder =
  | { readonly kind: 'describe' }
  | { readonly kind: 'step'; readonly workflow: string; readonly input: StageStepInput; readonly moment: StepMoment };

export type ModuleReply =
  /** Said before each of the user's functions is called. */
  | { readonly kind: 'calling'; readonly name: string }
  /** As text: a module's values may not fit into a message. */
  | { readonly kind: 'done'; readonly value: string }
  | { readonly kind: 'failed'; readonly error: ThreadError };

export interface ThreadError {
  readonly code: string | null;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly hint?: string;
  readonly problems: readonly Problem[];
}

const port = parentPort;
if (port !== null) {
  const place = workerData as ModulePlace;
  offerOwnPackage();
  if (place.keptIn !== null) resolvePackagesAsBefore(place.keptIn);
  const send = (reply: ModuleReply): void => port.postMessage(reply);
  watchCalls((name) => send({ kind: 'calling', name }));
  port.on('message', (order: ModuleOrder) => {
    answer(order, place).then(
      (value) => send({ kind: 'done', value: JSON.stringify(value) }),
      (error: unknown) => send({ kind: 'failed', error: threadError(error) }),
    );
  });
}

async function answer(order: ModuleOrder, { path, hash }: ModulePlace): Promise<unknown> {
  const module = await importModule(path, hash);
  return order.kind === 'describe' ? moduleContent(module) : step(module, order, path);
}

function step(
  module: ImportedModule,
  { workflow: name, input, moment }: ModuleOrder & { readonly kind: 'step' },
  path: string,
): unknown {
  const workflow = stageWorkflowsOf(module).find(({ definition }) => definition.name === name);
  if (workflow !== undefined) return withConditions(module, () => takeStep(workflow, input, moment));
  throw new Fault('MODULE_GONE', `There is no stage workflow named "${name}" in ${path}.`, {
    hint: 'Resume the run with the version of the file that it began with.',
  });
}

/** A copy resolves packages from where the module was. */
function resolvePackagesAsBefore(place: string): void {
  const own = `${pathToFileURL(place).href}/`;
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL = '' } = context;
      const isPackage = !/^(?:\.{1,2}\/|\/|[a-z]+:)/.test(specifier);
      if (!isPackage || !parentURL.startsWith(own)) return next(specifier, context);
      const original = pathToFileURL(`${sep}${relative(place, fileURLToPath(parentURL))}`).href;
      return next(specifier, { ...context, parentURL: original });
    },
  });
}

/** The module may have another copy of Troupe, so its faults are known by what they carry. */
function threadError(error: unknown): ThreadError {
  if (!(error instanceof Error)) return { code: null, name: 'Error', message: String(error), stack: '', problems: [] };
  const { code, hint, problems } = error as Partial<Fault>;
  return {
    code: typeof code === 'string' ? code : null,
    name: error.name,
    message: error.message,
    stack: error.stack ?? '',
    ...(typeof hint === 'string' ? { hint } : {}),
    problems: Array.isArray(problems) ? (JSON.parse(JSON.stringify(problems)) as Problem[] & Json) : [],
  };
}

/** The place of a module's code. */
export interface ModulePlace {
  readonly path: string;
  /** Hash of the module and everything it imports by a path. */
  readonly hash: string;
  /** The folder of the run that keeps a copy of it; null for the module itself. */
  readonly keptIn: string | null;
}
