import { Fault } from '../../core/fault.ts';
import { countOption, flag, type Invocation } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { withStore } from '../../app/world/store.ts';
import { printNote } from '../terminal/terminal.ts';

const LAST_PORT = 65_535;

/** `troupe serve`: the web page, until Ctrl-C. */
export async function serveCommand(invocation: Invocation): Promise<number> {
  const { terminal, version } = invocation;
  const port = countOption(invocation, 'port', 0) ?? 0;
  if (port > LAST_PORT) throw new Fault('USAGE', `--port must be 0 to ${LAST_PORT}; it is ${port}.`);
  const { startPage } = await import('../serving/page-server.ts');
  const interrupt = onInterrupt();
  return await withStore(terminal, async (store) => {
    const page = await startPage({ store, terminal, version, port });
    const { url } = page;
    terminal.stdout.write(flag(invocation, 'json') ? `${JSON.stringify({ kind: 'page.opened', url })}\n` : `${url}\n`);
    if (invocation.options['open'] !== false) {
      const { openBrowser } = await import('../serving/page-server.ts');
      openBrowser(page.ticket(), terminal);
    }
    if (terminal.stderr.isTTY === true) printNote(terminal, 'Ctrl-C ends the page; runs go on without it.');
    await interrupt.asked;
    await page.close();
    return EXIT.ok;
  }).finally(() => interrupt.stop());
}
