import type { RunId } from '../../core/ids.ts';
import { driveToRest, type Drive } from '../session/drive.ts';
import type { OpenStore } from '../../app/world/store.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openBrowser } from './open-browser.ts';
import { startPage } from './page-server.ts';

/** The web page in the process that drives a run (`--web`). */
export interface PageBeside {
  /** Prints the address of the run's page, and opens it. */
  show(run: RunId, note: (text: string) => void): void;
  /** Once the run rests: in a terminal until Ctrl-C. A run that goes on from the page is driven here. */
  stay(drive: Drive, code: number): Promise<number>;
  close(): Promise<void>;
}

export async function openPageBeside(terminal: Terminal, version: string, store: OpenStore): Promise<PageBeside> {
  const page = await startPage({ store, terminal, version, port: 0 });
  const stay = async (drive: Drive, code: number): Promise<number> => {
    if (terminal.stderr.isTTY !== true || (await isInterrupted(drive))) return code;
    drive.printer.note(`The page stays open until Ctrl-C: ${page.url}`);
    const next = await Promise.race([drive.interrupt.asked, movedOn(drive)]);
    return next === 'interrupted' ? code : await stay(drive, await driveToRest(drive));
  };
  return {
    show(run, note) {
      const url = page.url.replace('/#', `/runs/${run}#`);
      if (terminal.mode.json) terminal.stdout.write(`${JSON.stringify({ kind: 'page.opened', run, url })}\n`);
      else note(`See it at: ${url}`);
      openBrowser(page.ticket(`/runs/${run}`), terminal);
    },
    stay,
    close: () => page.close(),
  };
}

const isInterrupted = async ({ interrupt }: Drive): Promise<boolean> =>
  (await Promise.race([interrupt.asked, Promise.resolve(null)])) === 'interrupted';

function movedOn({ host }: Drive): Promise<'moved'> {
  const { promise, resolve } = Promise.withResolvers<'moved'>();
  const stop = host.onLive((event) => {
    if (event.kind !== 'record') return;
    stop();
    resolve('moved');
  });
  return promise;
}
