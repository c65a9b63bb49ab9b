import { resolve } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { countOption, flag, type Invocation, listOption, textOption } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { type OpenStore, withStore } from '../../app/world/store.ts';
import { printAnswer, printNote } from '../terminal/terminal.ts';
import type { PageServer } from '../serving/page-server.ts';
import type { TeamServer } from '../serving/team-server.ts';

const LAST_PORT = 65_535;

/** `troupe serve`: the web page, until Ctrl-C. */
export async function serveCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const start = textOption(invocation, 'listen') === undefined ? ownPage(invocation) : teamPage(invocation);
  const interrupt = onInterrupt();
  return await withStore(terminal, async (store) => {
    const page = await start(store);
    const { url, address } = page;
    printAnswer(terminal, { kind: 'page.opened', url, address }, () => url);
    if (address !== undefined) printNote(terminal, `Listening on ${address}, for those who have a token.`);
    if (invocation.options['open'] !== false && page.ticket !== undefined) {
      const { openBrowser } = await import('../serving/page-server.ts');
      openBrowser(page.ticket(), terminal);
    }
    if (terminal.stderr.isTTY === true) printNote(terminal, 'Ctrl-C ends the page; runs continue without it.');
    await interrupt.asked;
    await page.close();
    return EXIT.ok;
  }).finally(() => interrupt.stop());
}

/** A team's server opens no browser: it has no token for itself. */
type Start = (store: OpenStore) => Promise<Pick<PageServer, 'url' | 'close'> & Partial<PageServer & TeamServer>>;

function ownPage(invocation: Invocation): Start {
  const { terminal, version } = invocation;
  const { options } = invocation;
  const given = TEAM_OPTIONS.filter((name) => options[name] !== undefined);
  if (given.length > 0)
    throw new Fault('USAGE', 'TLS and public names are for a server that other machines reach.', {
      hint: 'Say where it listens too, as in: --listen 0.0.0.0:8443',
    });
  const port = countOption(invocation, 'port', 0) ?? 0;
  if (port > LAST_PORT) throw new Fault('USAGE', `--port must be 0 to ${LAST_PORT}; it is ${port}.`);
  return async (store) => {
    const { startPage } = await import('../serving/page-server.ts');
    return await startPage({ store, terminal, version, port });
  };
}

const TEAM_OPTIONS = ['tlsCert', 'tlsKey', 'behindTls', 'publicName'] as const;

function teamPage(invocation: Invocation): Start {
  const { terminal, version } = invocation;
  if (invocation.options['port'] !== undefined)
    throw new Fault('USAGE', '--listen names the port already.', { hint: 'Leave --port out.' });
  const fileOf = (name: string): string | undefined => {
    const file = textOption(invocation, name);
    return file === undefined ? undefined : resolve(terminal.folder, file);
  };
  const wish = {
    address: textOption(invocation, 'listen') ?? '',
    tlsCert: fileOf('tlsCert'),
    tlsKey: fileOf('tlsKey'),
    isBehindTls: flag(invocation, 'behindTls'),
    publicNames: listOption(invocation, 'publicName'),
  };
  return async (store) => {
    const { startTeamServer } = await import('../serving/team-server.ts');
    return await startTeamServer({ store, terminal, version }, wish);
  };
}
