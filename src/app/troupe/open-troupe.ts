import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Actor } from '../../actors/port.ts';
import { Fault } from '../../core/model/fault.ts';
import { nameHint } from '../../source/closest-name.ts';
import type { LiveEvent } from '../../host/port.ts';
import type { Journal } from '../../journal/port.ts';
import { redactingJournal } from '../../journal/redacting-journal.ts';
import type { Caller } from '../caller.ts';
import { projectRoot } from '../config/project.ts';
import { packageRoot } from '../../tools/own/own-package.ts';
import { personName } from '../runs/person-name.ts';
import { environmentSecrets } from '../secrets/config-secrets.ts';
import { openStore, recordSecrets, storeHome, type OpenStore } from '../world/store.ts';
import type { Supplied } from '../config/supplied-parts.ts';
import { RunsUnderWay, OpenProject } from './open-project.ts';
import type { Troupe } from './troupe.ts';

export interface TroupeOptions extends Omit<Supplied, 'actorFor'> {
  /** The project's folder, or one inside it. Default: the current folder. */
  readonly project?: string;
  /** Where Troupe keeps its journal and workspaces. Default: the home that the command line uses. */
  readonly home?: string;
  /** A journal, which is not closed, or the address of one. Default: as the command line, a file in the home. */
  readonly journal?: Journal | string;
  /** Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Answers for all roles, or for those that the function gives an actor for. Default: the models of the configuration. */
  readonly actor?: Actor | NonNullable<Supplied['actorFor']>;
  /** Who acts, for the journal. Default: the name of the user of this process. */
  readonly by?: string;
  /** Values that are taken out of all records, besides keys and tokens of the environment. */
  readonly secrets?: readonly string[];
  /** Receives the records and the text of runs that this process drives, as they come. */
  readonly onLive?: (event: LiveEvent) => void;
  /** Receives warnings. Default: they are dropped. */
  readonly onWarning?: (sentence: string) => void;
}

/** Opens a project: the same operations as the command line, HTTP and MCP, with types (R3). */
export async function openTroupe(options: TroupeOptions = {}): Promise<Troupe> {
  refuseUnknown(options);
  const { by = personName(), onWarning = () => undefined } = options;
  const caller = callerOf(options);
  const store = await storeOf(caller, options.journal);
  const asking = {
    caller,
    store,
    by,
    version: ownVersion(),
    wishes: {},
    via: 'library',
    tell: onWarning,
    supplied: suppliedBy(options),
  } as const;
  const opened = new OpenProject(asking, new RunsUnderWay(options.onLive));
  const closeStore = async (): Promise<void> => {
    if (typeof options.journal !== 'object') await store.journal.close();
  };
  // Loaded here: tools of a project import the same package in a process for each call, and never open one.
  const { ProjectTroupe } = await import('./project-troupe.ts');
  return new ProjectTroupe(opened, projectRoot(caller.folder), closeStore);
}

const OPTIONS: Readonly<Record<keyof TroupeOptions, true>> = {
  project: true,
  home: true,
  journal: true,
  environment: true,
  actor: true,
  by: true,
  secrets: true,
  onLive: true,
  onWarning: true,
  models: true,
  tools: true,
  roles: true,
  workflows: true,
};

/** A misspelled option would have no effect, and no one would notice. */
function refuseUnknown(options: TroupeOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown === undefined) return;
  throw new Fault('REQUEST_INVALID', `openTroupe has no option "${unknown}".`, {
    hint: nameHint(unknown, Object.keys(OPTIONS)) ?? '',
  });
}

function callerOf({ project = '.', home, environment = process.env, ...options }: TroupeOptions): Caller {
  const folder = resolve(project);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Fault('PROJECT_MISSING', `There is no folder ${folder}.`, {
      hint: 'Name the folder of a project: openTroupe({ project }).',
    });
  const own = environmentOf(environment, home, options.journal);
  const secrets = environmentSecrets(own);
  for (const value of options.secrets ?? []) secrets.add('secrets', value);
  for (const { apiKey } of Object.values(options.models ?? {})) secrets.add('models', apiKey);
  const { onWarning: note } = options;
  return { folder: realpathSync(folder), environment: own, secrets, ...(note && { note }) };
}

/** Where journal and workspaces are, for this process and those it starts. */
function environmentOf(
  environment: NodeJS.ProcessEnv,
  home: string | undefined,
  journal: Journal | string | undefined,
): NodeJS.ProcessEnv {
  return {
    ...environment,
    ...(home === undefined ? {} : { TROUPE_HOME: resolve(home) }),
    ...(typeof journal === 'string' ? { TROUPE_JOURNAL: journal } : {}),
  };
}

async function storeOf(caller: Caller, journal: Journal | string | undefined): Promise<OpenStore> {
  if (typeof journal !== 'object') return await openStore(caller);
  const home = storeHome(caller);
  const secrets = recordSecrets(caller, home);
  return { home, secrets, journal: redactingJournal(journal, secrets) };
}

function suppliedBy({ actor, models, tools, roles, workflows }: TroupeOptions): Supplied {
  return {
    ...(models === undefined ? {} : { models }),
    ...(tools === undefined ? {} : { tools }),
    ...(roles === undefined ? {} : { roles }),
    ...(workflows === undefined ? {} : { workflows }),
    ...(actor === undefined ? {} : { actorFor: typeof actor === 'function' ? actor : () => actor }),
  };
}

function ownVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}
