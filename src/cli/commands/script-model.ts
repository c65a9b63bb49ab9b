import { Fault } from '../../core/model/fault.ts';
import { errorCode } from '../../lib/held-folder.ts';
import { countOption, type Invocation, textOption } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { readScenario } from '../../app/world/scripted-model.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { printAnswer } from '../terminal/terminal.ts';

const LAST_PORT = 65_535;

/** `troupe script-model`: a model that answers from a file, on loopback, until it is stopped. */
export async function scriptModelCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const file = textOption(invocation, 'scenario');
  const scenario = file === undefined ? undefined : await readScenario(file);
  const { startScriptedServer } = await import('../../actors/scripted/scripted-server.ts');
  const interrupt = onInterrupt();
  const port = countOption(invocation, 'port', 0) ?? 0;
  if (port > LAST_PORT) throw new Fault('USAGE', `--port must be 0 to ${LAST_PORT}; it is ${port}.`);
  const server = await startScriptedServer({ port, ...(scenario === undefined ? {} : { scenario }) }).catch(
    (error: unknown) => {
      throw errorCode(error) === 'EADDRINUSE' ? portInUse(port) : error;
    },
  );
  const { url } = server;
  printAnswer(terminal, { kind: 'model.served', url }, () => url);
  await interrupt.asked;
  await server.close();
  return EXIT.ok;
}

const portInUse = (port: number): Fault =>
  new Fault('PORT_IN_USE', `Port ${port} is taken by another program.`, {
    hint: 'Take another one, or leave --port out: then a free one is found and printed.',
  });
