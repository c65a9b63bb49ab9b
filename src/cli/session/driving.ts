import type { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import { runTime } from '../../core/work-clock.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import type { Session } from '../../app/runs/session.ts';
import { createRunPrinter, type RunPrinter } from '../terminal/run-printer.ts';
import { paintFor } from '../terminal/colour.ts';
import { lookCommands, verdictText } from '../terminal/end-text.ts';
import { printNote, type Terminal } from '../terminal/terminal.ts';
import { outputText } from '../terminal/value-text.ts';
import type { PageBeside } from '../serving/page-beside.ts';
import { faultText } from '../terminal/fault-text.ts';
import type { Begin } from '../../app/runs/going-on.ts';
import { driveToRest, type Drive } from './drive.ts';
import { onInterrupt } from './interrupt.ts';
import { existingFolder } from '../../app/runs/run-folder-path.ts';

/** A process that drives runs for a command line. */
export interface Driving extends Session {
  readonly terminal: Terminal;
  /** `--web`: the page is served beside the run. */
  readonly opensPage: boolean;
}

/** Begins with a printer listening, and stays until the run rests. The result is the exit code. */
export async function driveBegun(
  driving: Driving,
  { run, begin }: Begin,
  begun: (fault: Fault | null) => void = () => undefined,
): Promise<number> {
  const { terminal, project, store, host } = driving;
  const printer = createRunPrinter({ root: run, ...terminal });
  await recallTree(driving, printer, run);
  const stopListening = host.onLive((event) => printer.show(event));
  const stopProgress = driving.world.onProgress((progress) => printer.progress(progress));
  const interrupt = onInterrupt();
  let page: PageBeside | null = null;
  try {
    if (driving.opensPage) page = await pageBeside(driving);
    const fault = await begin();
    begun(fault);
    if (fault !== null) printer.note(faultText(fault));
    page?.show(run, (text) => printer.note(text));
    const drive: Drive = {
      host,
      run,
      terminal,
      printer,
      notify: project.config.notify,
      allowsPartial: async () => (await host.snapshot(run)).terms.delivery?.allowsPartial === true,
      interrupt,
      folderOf: (of) => existingFolder(store.home, of),
      printEnd: (line) => printEnd(driving, line),
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

/** Loads the server only where it is wanted. */
async function pageBeside({ terminal, version, store }: Driving): Promise<PageBeside> {
  const { openPageBeside } = await import('../serving/page-beside.ts');
  return await openPageBeside(terminal, version, store);
}

/** Later records name only the task and the call: who does what was said before the run was taken up. A new one has none. */
async function recallTree({ store }: Driving, printer: RunPrinter, root: RunId): Promise<void> {
  const runs = (await store.journal.run(root)) === undefined ? [] : [root];
  for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
    for (const record of await store.journal.read(run)) printer.recall(run, record);
    runs.push(...(await store.journal.runs({ parent: run })).map((info) => info.run));
  }
}

/** The output of the run on standard output; beside it the verdict, what changed, where it waits and how to go on. */
async function printEnd(driving: Driving, line: SettledLine): Promise<number> {
  const { terminal, host } = driving;
  const { stdout, stderr, environment, mode } = terminal;
  if (!mode.json) {
    if (line.output !== null) stdout.write(`${outputText(line.output, line.run)}\n`);
    const { clock, at } = await host.snapshot(line.run as RunId);
    const { text, style } = verdictText(line, runTime(clock, at).workedMs);
    stderr.write(`${paintFor(stderr, environment)(style, text)}\n`);
  }
  const { printDelivery } = await import('../files/print-delivery.ts');
  const { code, hasCommands } = await printDelivery(driving, line);
  if (!hasCommands && !mode.json && line.status === 'settled') printNote(terminal, lookCommands(line.run).join('\n'));
  return code;
}
