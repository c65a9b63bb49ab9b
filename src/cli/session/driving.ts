import { resolve } from 'node:path';
import type { RunId } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import { createEmbeddedHost } from '../../host/embedded/embedded-host.ts';
import type { Host } from '../../host/port.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import type { Invocation } from '../command-spec.ts';
import { parseActors } from '../../app/config/choose-actor.ts';
import { parseOverrides } from '../../app/config/choose-model.ts';
import { openProject, type Project } from '../../app/config/project.ts';
import { refuseUnwritableFolder } from '../../host/deliver/writable-path.ts';
import { countOption, flag, listOption } from '../invocation.ts';
import { QuestWriter } from '../quest/quest-writer.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { createRunPrinter, type RunPrinter } from '../terminal/run-printer.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { valueText } from '../terminal/value-text.ts';
import type { PageBeside } from '../serving/page-beside.ts';
import type { ActorSource } from '../../app/world/actors.ts';
import { driveToRest, type Drive } from './drive.ts';
import { onInterrupt } from './interrupt.ts';
import { refuseWithheld } from './project-trust.ts';
import { RunFollowers } from '../../app/observers/run-followers.ts';
import { existingFolder } from '../../app/runs/run-folder-path.ts';
import { sandboxOption } from './sandbox-option.ts';
import { openStore, type Store } from './store.ts';
import { createWorld, type OpenWorld } from './world.ts';

/** A process that can drive runs: project, journal and host, open. */
export interface Driving {
  readonly invocation: Invocation;
  readonly project: Project;
  readonly actors: ActorSource;
  readonly store: Store;
  readonly host: Host;
  readonly world: OpenWorld;
  /** Keeps the files of quests. */
  readonly quests: QuestWriter;
  /** Write logs and tell traces. */
  readonly followers: RunFollowers;
}

/** What is known before anything is opened, so that bad usage touches nothing. */
export interface Preparation {
  readonly project: Project;
  readonly actors: ActorSource;
  readonly purpose: Purpose;
  /** How many units of a pool may be under way at the same time, where the user says so. */
  readonly slots?: number;
}

/** `look`: nobody works in it, so settings that are not trusted are no obstacle; they stay without effect. */
export type Purpose = 'drive' | 'look';

/** With the settings of the project that `folder` is in; what the command line names is found from where it was given. */
export async function prepareDriving(
  { options, terminal, ...rest }: Invocation,
  { purpose = 'drive', folder = terminal.folder }: { readonly purpose?: Purpose; readonly folder?: string } = {},
): Promise<Preparation> {
  const out = options['out'];
  if (typeof out === 'string') refuseUnwritableFolder(resolve(terminal.folder, out), out);
  const project = await openProject({ ...terminal, folder });
  if (purpose === 'drive') refuseWithheld(project);
  const { config } = project;
  const overrides = parseOverrides(listOption({ options, terminal, ...rest }, 'model'), config);
  const cast = parseActors(listOption({ options, terminal, ...rest }, 'actor'), config);
  const slots = countOption({ options, terminal, ...rest }, 'slots');
  const actors = { config, overrides, cast, environment: terminal.environment };
  return { project, purpose, actors, ...(slots === undefined ? {} : { slots }) };
}

/** Opens all that is needed to drive, for as long as the work takes. */
export async function withDriving<Result>(
  invocation: Invocation,
  prepared: Preparation,
  work: (driving: Driving) => Promise<Result>,
): Promise<Result> {
  const { terminal, version } = invocation;
  const store = await openStore(terminal);
  try {
    const own = { sandbox: sandboxOption(invocation), setup: invocation.options['setup'] !== false };
    const world = await createWorld({ ...prepared, terminal, version, store, own });
    const host = createEmbeddedHost(world);
    const tell = (sentence: string): void => tellPerson(terminal, sentence);
    const quests = new QuestWriter({ ...store, tell });
    const followers = new RunFollowers({ ...store, environment: terminal.environment, version, tell });
    const stopWriting = host.onLive((event) => {
      quests.heard(event);
      followers.heard(event);
    });
    try {
      return await work({ invocation, ...prepared, store, host, world, quests, followers });
    } finally {
      await host.shutdown();
      stopWriting();
      await Promise.all([quests.close(), followers.close()]);
      await world.close();
    }
  } finally {
    await store.journal.close();
  }
}

const tellPerson = ({ stderr }: Terminal, sentence: string): void => {
  stderr.write(`troupe: ${plainText(sentence)}\n`);
};

/** Starts or resumes with a printer listening, and stays until the run rests. The result is the exit code. */
export async function printAndDrive(
  driving: Driving,
  root: RunId | null,
  begin: () => Promise<RunId>,
): Promise<number> {
  const { invocation, project, store, host } = driving;
  const { terminal } = invocation;
  const json = flag(invocation, 'json');
  const printer = createRunPrinter({ json, root, ...terminal });
  if (root !== null) await recallTree(driving, printer, root);
  const stopListening = host.onLive((event) => printer.show(event));
  const stopProgress = driving.world.onProgress((progress) => printer.progress(progress));
  const interrupt = onInterrupt();
  let page: PageBeside | null = null;
  try {
    if (flag(invocation, 'web')) page = await pageBeside(driving);
    const run = await begin();
    page?.show(run);
    const drive: Drive = {
      host,
      run,
      terminal,
      printer,
      notify: project.config.notify,
      json,
      interactive: invocation.options['interactive'] !== false,
      allowsPartial: async () => (await host.snapshot(run)).terms.delivery?.allowsPartial === true,
      interrupt,
      folderOf: (of) => existingFolder(store.home, of),
      deliver: (line) => deliver(driving, line),
    };
    const code = await driveToRest(drive);
    return page === null ? code : await page.stay(drive, code);
  } finally {
    await page?.close();
    interrupt.stop();
    stopListening();
    stopProgress();
    printer.rest();
  }
}

/** Loads the server only for who wants it. */
async function pageBeside({ invocation, store }: Driving): Promise<PageBeside> {
  const { openPageBeside } = await import('../serving/page-beside.ts');
  return await openPageBeside(invocation, store);
}

/** Later records name only the task and the call: who does what was said before the run was taken up. A new one has none. */
async function recallTree({ store }: Driving, printer: RunPrinter, root: RunId): Promise<void> {
  const runs = (await store.journal.run(root)) === undefined ? [] : [root];
  for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
    for (const record of await store.journal.read(run)) printer.recall(run, record);
    runs.push(...(await store.journal.runs({ parent: run })).map((info) => info.run));
  }
}

/** For people, in a pipe too: programs ask for `--json`. */
const outputText = (output: Json): string => (typeof output === 'string' ? plainText(output) : valueText(output));

/** The result on standard output, and what became of the delivery; the result is an exit code. */
async function deliver(driving: Driving, line: SettledLine): Promise<number> {
  const { invocation } = driving;
  if (!flag(invocation, 'json') && line.output !== null) {
    invocation.terminal.stdout.write(`${outputText(line.output)}\n`);
  }
  const { tellDelivery } = await import('../files/tell-delivery.ts');
  return await tellDelivery(driving, line);
}
