import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { flag, type Invocation, word } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { withStore } from '../../app/world/store.ts';
import { noteTo, printNote, type Terminal } from '../terminal/terminal.ts';
import { Writable } from 'node:stream';

/** `troupe mcp [folder]`: Troupe as tools for other agents, over standard input and output, until they hang up (U9). */
export async function mcpCommand(invocation: Invocation): Promise<number> {
  const { version } = invocation;
  const terminal = terminalIn(invocation);
  const [mcp, { serveStdio }, { createOperations }, { mcpServer }, { LineTransport }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
    import('../../server/create-operations.ts'),
    import('../../server/mcp/mcp-server.ts'),
    import('../../server/mcp/line-transport.ts'),
  ]);
  const interrupt = onInterrupt();
  return await withStore(terminal, async (store) => {
    const output = protocolOutput(terminal);
    const operations = createOperations({
      store,
      caller: terminal,
      version,
      tell: noteTo(terminal),
      entry: process.argv[1] ?? '',
    });
    const allowsApprovals = flag(invocation, 'allowApprovals');
    const onDefect = (error: unknown): void => tellDefect(terminal, error);
    const hungUp = once(terminal.stdin, 'close');
    const served = serveStdio(() => mcpServer(mcp, operations, { onDefect, allowsApprovals }), {
      transport: new LineTransport(terminal.stdin, output),
      onerror: onDefect,
    });
    if (terminal.stdin.isTTY === true) printNote(terminal, FOR_PROGRAMS);
    await Promise.race([hungUp, interrupt.asked]);
    await served.close();
    // What was begun is not left half done because the caller is gone.
    await operations.finish({ stopsChecks: false });
    return EXIT.ok;
  }).finally(() => interrupt.stop());
}

const FOR_PROGRAMS =
  'This is for programs: they speak MCP on standard input and output. How to set it up: docs/guide/mcp.md. Ctrl-C ends it.';

function terminalIn(invocation: Invocation): Terminal {
  const { terminal } = invocation;
  const named = word(invocation, 0);
  if (named === undefined) return terminal;
  const folder = resolve(terminal.folder, named);
  if (existsSync(folder)) return { ...terminal, folder };
  throw new Fault('FOLDER_MISSING', `There is no folder "${named}".`);
}

function tellDefect({ stderr, environment }: Terminal, error: unknown): void {
  const text = error instanceof Error ? (environment['TROUPE_DEBUG'] ? error.stack : error.message) : String(error);
  stderr.write(`troupe mcp: ${text}\n`);
}

/**
 * Standard output for a protocol alone: whatever else writes there, such as `console.log` in a project's own module, goes to
 * standard error from now on. One foreign line would end the conversation.
 */
export function protocolOutput({ stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = ((...words: Parameters<typeof write>) => stderr.write(...words)) as typeof stdout.write;
  return new Writable({
    write: (piece: Buffer, encoding, done) => void write(piece, encoding, done),
  });
}
