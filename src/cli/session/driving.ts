import type { RunId } from '../../core/ids.ts';
import { createEmbeddedHost } from '../../host/embedded/embedded-host.ts';
import type { Host } from '../../host/port.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import type { Invocation } from '../command-spec.ts';
import { parseOverrides } from '../config/choose-model.ts';
import { openProject, type Project } from '../config/project.ts';
import { flag, listOption, textOption } from '../invocation.ts';
import { copyFiles } from './copy-files.ts';
import { plainText } from '../terminal/plain-text.ts';
import { createRunPrinter } from '../terminal/run-printer.ts';
import type { ActorSource } from './actors.ts';
import { driveToRest } from './drive.ts';
import { onInterrupt } from './interrupt.ts';
import { existingFolder } from './run-folder-path.ts';
import { openStore, type Store } from './store.ts';
import { createWorld } from './world.ts';

/** A process that can drive runs: project, journal and host, open. */
export interface Driving {
  readonly invocation: Invocation;
  readonly project: Project;
  readonly actors: ActorSource;
  readonly store: Store;
  readonly host: Host;
}

/** What is known before anything is opened, so that bad usage touches nothing. */
export interface Preparation {
  readonly project: Project;
  readonly actors: ActorSource;
}

export async function prepareDriving({ options, terminal, ...rest }: Invocation): Promise<Preparation> {
  const project = await openProject(terminal);
  const overrides = parseOverrides(listOption({ options, terminal, ...rest }, 'model'), project.config);
  return { project, actors: { config: project.config, overrides, environment: terminal.environment } };
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
    const host = createEmbeddedHost(await createWorld({ ...prepared, terminal, version, store }));
    try {
      return await work({ invocation, ...prepared, store, host });
    } finally {
      await host.shutdown();
    }
  } finally {
    await store.journal.close();
  }
}

/** Starts or resumes with a printer listening, and stays until the run rests. The result is the exit code. */
export async function printAndDrive(
  { invocation, project, store, host }: Driving,
  root: RunId | null,
  begin: () => Promise<RunId>,
): Promise<number> {
  const { terminal } = invocation;
  const json = flag(invocation, 'json');
  const printer = createRunPrinter({ json, root, ...terminal });
  const stopListening = host.onLive((event) => printer.show(event));
  const interrupt = onInterrupt();
  try {
    const run = await begin();
    return await driveToRest({
      host,
      run,
      terminal,
      printer,
      notify: project.config.notify,
      json,
      interactive: invocation.options['interactive'] !== false,
      allowPartial: flag(invocation, 'allowPartial'),
      interrupt,
      folderOf: (of) => existingFolder(store.home, of),
      deliver: (line) => deliver(invocation, store, line),
    });
  } finally {
    interrupt.stop();
    stopListening();
    printer.rest();
  }
}

/** The result on standard output, the files where `--out` says; false when some of them could not be put there. */
async function deliver(invocation: Invocation, store: Store, line: SettledLine): Promise<boolean> {
  const { terminal } = invocation;
  if (!flag(invocation, 'json') && line.output !== null) {
    const text = typeof line.output === 'string' ? line.output : JSON.stringify(line.output, null, 2);
    terminal.stdout.write(`${plainText(text)}\n`);
  }
  const out = textOption(invocation, 'out');
  if (out === undefined) return true;
  return await copyFiles({ home: store.home, run: line.run, to: out, hasFolder: line.folder !== null }, terminal);
}
