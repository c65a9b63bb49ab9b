import type { RunElsewhere } from '../world/world.ts';
import { Fault } from '../../core/model/fault.ts';
import { createEmbeddedHost } from '../../host/embedded/embedded-host.ts';
import { refuseUnwritableFolder } from '../../host/deliver/writable-path.ts';
import type { Surface } from '../../core/record/question-fact.ts';
import type { Host } from '../../host/port.ts';
import type { Placement } from '../../host/world.ts';
import type { Caller } from '../caller.ts';
import { parseActors } from '../config/choose-actor.ts';
import { parseOverrides } from '../config/choose-model.ts';
import { journalAddress, openProject, type Project } from '../config/project.ts';
import { refuseWithheld } from '../library/project-trust.ts';
import { RunFollowers } from '../observers/run-followers.ts';
import { createFamilyFiles, type FamilyFiles, writtenFile } from '../../formats/registry/app.ts';
import type { ActorSource } from '../world/actors.ts';
import { withSupplied } from '../world/supplied.ts';
import type { Supplied } from '../config/supplied-parts.ts';
import { type OpenStore, type Purpose, withStore } from '../world/store.ts';
import { createWorld, type OpenWorld } from '../world/world.ts';
import type { AccessRole } from '../../protocol/operations/access.ts';
import type { Wishes } from '../../protocol/operations/wishes.ts';
import { wishedSandbox } from '../config/sandbox-level.ts';
import { existsSync } from 'node:fs';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { FiredSchedule } from '../../core/model/run-terms.ts';
import type { Lease, RunInfo } from '../../journal/port.ts';
import { logPlace } from '../observers/logs/log-file.ts';
import { findRun } from './find-run.ts';
import { refuseChild } from './refuse-child.ts';

/** The caller of an operation on runs, and its terms. */
export interface Asking {
  readonly caller: Caller;
  /** Of Troupe. */
  readonly version: string;
  /** The caller's name, for the journal. */
  readonly by: string;
  readonly wishes: Wishes;
  /** At which face. */
  readonly via: Surface;
  /** The role of a token on a team's server; a local user has none and may do everything. */
  readonly role?: AccessRole;
  /** Whether an agent that speaks for its user may approve as well. */
  readonly allowsApprovals?: boolean;
  /** The user's journal, where it is open already: it stays open. */
  readonly store?: OpenStore;
  /** The lease of a process that holds the run until this one drives it. */
  readonly handedOver?: Lease | undefined;
  /** The schedule that begins the run, where no person does. */
  readonly schedule?: FiredSchedule | undefined;
  /** Where the runs below others are driven; here where it is absent. */
  readonly placement?: Placement;
  /** Parts of the program that opened Troupe. */
  readonly supplied?: Supplied;
  /** The project of a run that a worker drives, as far as the worker knows it. */
  readonly elsewhere?: RunElsewhere;
  /** For what a person should know and nothing depends on. */
  readonly tell: (sentence: string) => void;
}

/** Everything known before anything is opened, so that bad usage changes nothing. */
export interface SessionRequest extends Asking {
  /** Workers drive the runs: this process only begins, changes and follows them. */
  readonly isLeftToWorkers: boolean;
  readonly project: Project;
  readonly actors: ActorSource;
  readonly purpose: Purpose;
}

/** All that it takes to drive runs, open. */
export interface Session extends SessionRequest {
  readonly store: OpenStore;
  readonly host: Host;
  readonly world: OpenWorld;
  /** Keeps what families write beside their runs. */
  readonly familyFiles: FamilyFiles;
  /** Write logs and report traces. */
  readonly followers: RunFollowers;
}

/** With the settings of the project that `folder` is in; what the caller names is found from their own folder. */
export async function prepareSession(
  asking: Asking,
  { purpose = 'drive', left = 'pass', folder = asking.caller.folder, drivesHere = false }: PreparationOptions = {},
): Promise<SessionRequest> {
  const { caller } = asking;
  refuseUnprintableName(asking.by);
  refuseUnwritableCopy(asking);
  const project = withSupplied(await openProject({ ...caller, folder }), asking.supplied);
  if (purpose !== 'look') refuseWithheld(project);
  const isLeftToWorkers = !drivesHere && (await areWorkersMeant(asking));
  return {
    ...asking,
    project: withSetup(project, asking.elsewhere),
    purpose: isLeftToWorkers && purpose === 'drive' ? left : purpose,
    isLeftToWorkers,
    actors: { ...actorsOf(asking, project), isElsewhere: isLeftToWorkers },
  };
}

interface PreparationOptions {
  readonly purpose?: Purpose;
  /** The purpose where the driving is left to workers. */
  readonly left?: 'begin' | 'pass';
  readonly folder?: string;
  /** This process drives its runs even where workers share the journal: a person types in it. */
  readonly drivesHere?: boolean;
}

/** Where the journal is shared, and this process is no worker itself. */
async function areWorkersMeant({ caller, store, elsewhere }: Asking): Promise<boolean> {
  if (elsewhere !== undefined) return false;
  return store === undefined ? (await journalAddress(caller)) !== null : store.shared !== undefined;
}

function refuseUnwritableCopy({ wishes }: Asking): void {
  if (wishes.deliver?.copyTo !== undefined) refuseUnwritableFolder(wishes.deliver.copyTo);
}

function withSetup(project: Project, elsewhere: RunElsewhere | undefined): Project {
  if (elsewhere === undefined) return project;
  const { setup: _own, ...workspaces } = project.config.workspaces;
  const { setup } = elsewhere;
  return {
    ...project,
    config: { ...project.config, workspaces: { ...workspaces, ...(setup === undefined ? {} : { setup }) } },
  };
}

/** The name stands in messages and tables. TEXT_INVALID. */
function refuseUnprintableName(by: string): void {
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(by)) return;
  throw new Fault('TEXT_INVALID', 'The name in `by` has a line break or a character that cannot be printed.', {
    hint: 'Give a name on one line, such as: --by ada',
  });
}

function actorsOf({ caller, wishes, supplied }: Asking, { config }: Project): ActorSource {
  return {
    config,
    overrides: parseOverrides(wishes.models ?? [], config),
    cast: parseActors(wishes.actors ?? [], config),
    environment: caller.environment,
    supplied: supplied?.actorFor,
  };
}

/** An agent that drives Troupe over MCP approves nothing, unless its user allowed that when starting the server ([V3]). */
export const canApprove = ({ via, allowsApprovals }: Pick<Asking, 'via' | 'allowsApprovals'>): boolean =>
  via !== 'mcp' || allowsApprovals === true;

/** Opens all that is needed to drive, for as long as the work takes. */
export async function withSession<Result>(
  prepared: SessionRequest,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const { caller, version, wishes, tell, placement } = prepared;
  return await withStoreOf(prepared, async (store) => {
    const own = { sandbox: wishedSandbox(wishes, caller), setup: wishes.setup !== false };
    const world = await createWorld({ ...prepared, store, own });
    const host = createEmbeddedHost(placement === undefined ? world : { ...world, placement });
    const familyFiles = createFamilyFiles({ ...store, tell });
    const followers = new RunFollowers({ ...store, environment: caller.environment, version, tell });
    const stopWriting = host.onLive((event) => {
      familyFiles.heard(event);
      followers.heard(event);
    });
    try {
      return await work({ ...prepared, store, host, world, familyFiles, followers });
    } finally {
      await host.shutdown();
      stopWriting();
      await Promise.all([familyFiles.close(), followers.close()]);
      await world.close();
    }
  });
}

async function withStoreOf<Result>(
  { caller, store }: Pick<Asking, 'caller' | 'store'>,
  work: (store: OpenStore) => Promise<Result>,
): Promise<Result> {
  return store === undefined ? await withStore(caller, work) : await work(store);
}

export interface NamedRun {
  /** As a person names it. */
  readonly named: string;
  readonly purpose: Purpose;
  /** Whether it may be one below another. */
  readonly allowsChild?: boolean;
}

/** Opens a run with the settings of the run's project, from any folder. */
export async function withRun<Result>(
  asking: Asking,
  { named, purpose, allowsChild = false }: NamedRun,
  work: (session: Session, info: RunInfo) => Promise<Result>,
): Promise<Result> {
  const { caller, handedOver } = asking;
  const [found, root] = await withStoreOf(asking, async ({ journal }) => {
    const one = await findRun(journal, named, caller.folder);
    return [one, one.parent === null ? one : await journal.run(rootRunId(one.run))];
  });
  const info = handedOver?.run === found.run ? { ...found, driven: false } : found;
  if (!allowsChild) refuseChild(info.run);
  const isHere = asking.elsewhere === undefined && existsSync(info.project);
  const folder = isHere ? info.project : caller.folder;
  // A run that was never sent to workers, such as a chat, goes on where its project is.
  const drivesHere = root?.isOffered !== true;
  const prepared = await prepareSession(asking, { purpose, folder, drivesHere });
  return await withSession(prepared, async (session) => {
    try {
      return await work(session, info);
    } finally {
      await keepFiles(session, rootRunId(info.run));
    }
  });
}

/**
 * What is written down about a run that no process drives is heard by none; the process that drives it writes its files. Those
 * that were pruned are not made again by somebody who looks.
 */
async function keepFiles({ store, familyFiles, followers }: Session, root: RunId): Promise<void> {
  const isWritten = writtenFile(store.home, root) !== null;
  const hasLog = existsSync(logPlace(store.home, root).workflow);
  if ((!isWritten && !hasLog) || (await store.journal.run(root))?.driven !== false) return;
  if (isWritten) familyFiles.touched(root);
  if (hasLog) followers.touched(root);
}
