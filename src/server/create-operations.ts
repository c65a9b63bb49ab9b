import type { Json } from '../core/model/json.ts';
import { DefinitionStore } from '../host/embedded/definition-store.ts';
import type { View } from '../protocol/operations/views.ts';
import type { Operations, LookOptions } from './operations.ts';
import { BoundedTurnstile, type TurnstileOptions } from './bounded-turnstile.ts';
import type { Caller } from '../app/caller.ts';
import type { Asking } from '../app/runs/session.ts';
import { enclosingProject } from '../app/config/project.ts';
import { performAct } from '../app/acts/perform-act.ts';
import { listSchedules, removeSchedule } from '../app/workers/schedules.ts';
import { listWorkers } from '../app/workers/run-worker.ts';
import type { OpenStore } from '../app/world/store.ts';
import { definedBy } from '../app/library/defining-records.ts';
import { fileAt } from '../app/results/file-at.ts';
import { look } from '../app/views/look.ts';
import { lookApart, pourApart } from '../app/views/look-apart.ts';
import { personName } from '../app/runs/person-name.ts';
import { looksLong } from './looks-long.ts';
import { workflowPages } from '../app/library/workflow-pages.ts';

export interface OperationsOptions extends Pick<Asking, 'version' | 'tell'> {
  readonly caller: Caller;
  readonly store: OpenStore;
  /** The program to start for what drives a run or takes long to be read. */
  readonly entry: string;
  readonly acts?: TurnstileOptions;
}

/** Some start a process that drives a run; more than a few only get in each other's way. No person presses so many buttons, but programs do. */
const ACTS = { atOnce: 8, waiting: 128 };

/** At what takes long to be read. */
const LOOKS = { atOnce: 2, waiting: Infinity };

/** As long as somebody loads something down. */
const POURS = { atOnce: 4, waiting: 16 };

const HERE = { by: personName(), via: 'page' } as const;

export interface OpenOperations extends Operations {
  /** Waits until nothing is left half done; the process may end then. */
  finish(how: { readonly stopsChecks: boolean }): Promise<void>;
}

/** The world as the server sees it. */
export function createOperations(options: OperationsOptions): OpenOperations {
  const { store, entry, version, tell } = options;
  const { environment } = options.caller;
  const project = enclosingProject(options.caller.folder) ?? options.caller.folder;
  const asking = { version, wishes: {}, tell, store };
  const caller = { ...options.caller, folder: project };
  const acts = new BoundedTurnstile(options.acts ?? ACTS);
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const [pours, looks] = [new BoundedTurnstile(POURS), new BoundedTurnstile(LOOKS)];
  return {
    version,
    home: store.home,
    project,
    journal: store.journal,
    workers: store.shared === undefined ? null : () => listWorkers(store),
    schedules: schedulesOf(caller, store),
    look: async <Kind extends View['kind']>(
      view: Extract<View, { readonly kind: Kind }>,
      { signal }: LookOptions = {},
    ) => {
      signal?.throwIfAborted();
      if (!(await looksLong(store.journal, view.run))) return await look<Kind>({ ...asking, ...HERE, caller }, view);
      const place = { entry, environment, folder: project, ...(signal === undefined ? {} : { signal }) };
      return await looks.pass(() => lookApart<Kind>(view, place), signal);
    },
    act: (act, { folder, ...who }) => {
      const { promise: done, resolve: answered, reject: refused } = Promise.withResolvers<Json>();
      const whole = acts.pass(async () => {
        const left: Promise<unknown>[] = [];
        const later = (work: Promise<unknown>): void =>
          void left.push(work.catch((error: unknown) => tell(String(error))));
        const how = { entry, home: store.home, signal: stopping.signal, later };
        answered(await performAct({ ...asking, caller: { ...caller, folder }, ...who }, act, how));
        await Promise.all(left);
      });
      const tracked = whole.catch(refused).finally(() => underWay.delete(tracked));
      underWay.add(tracked);
      return done;
    },
    finish: async ({ stopsChecks }) => {
      if (stopsChecks) stopping.abort();
      await Promise.allSettled(underWay);
    },
    pour: (view) => pours.through(() => pourApart(view, { entry, environment, folder: project })),
    definition: (records) => new DefinitionStore(store.journal).load(definedBy(records)),
    ...workflowPages(options.caller),
    file: (run, place) => fileAt(store, run, place),
  };
}

const schedulesOf = (caller: Caller, store: OpenStore): Operations['schedules'] => ({
  list: () => (store.shared === undefined ? Promise.resolve([]) : listSchedules(caller, store)),
  remove: (name) => removeSchedule(caller, name),
});
