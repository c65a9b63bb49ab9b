import { Fault } from '../../core/fault.ts';
import { errorCode } from '../../lib/held-folder.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, numberOption, textOption } from '../invocation.ts';
import { readScenario } from '../session/scripted-model.ts';
import { onInterrupt } from '../session/interrupt.ts';

/** `troupe script-model`: a model that answers from a file, on loopback, until it is stopped. */
export async function scriptModelCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const file = textOption(invocation, 'scenario');
  const scenario = file === undefined ? undefined : await readScenario(file);
  const { startScriptedServer } = await import('../../actors/scripted/scripted-server.ts');
  const interrupt = onInterrupt();
  const port = numberOption(invocation, 'port') ?? 0;
  const server = await startScriptedServer({ port, ...(scenario === undefined ? {} : { scenario }) }).catch(
    (error: unknown) => {
      throw errorCode(error) === 'EADDRINUSE' ? portInUse(port) : error;
    },
  );
  const { url } = server;
  terminal.stdout.write(flag(invocation, 'json') ? `${JSON.stringify({ url })}\n` : `${url}\n`);
  await interrupt.asked;
  await server.close();
  return EXIT.ok;
}

const portInUse = (port: number): Fault =>
  new Fault('PORT_IN_USE', `Port ${port} is taken by another program.`, {
    hint: 'Take another one, or leave --port out: then a free one is found and printed.',
  });
