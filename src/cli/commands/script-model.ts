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
  const server = await startScriptedServer({
    port: numberOption(invocation, 'port') ?? 0,
    ...(scenario === undefined ? {} : { scenario }),
  });
  const { url } = server;
  terminal.stdout.write(flag(invocation, 'json') ? `${JSON.stringify({ url })}\n` : `${url}\n`);
  await interrupt.asked;
  await server.close();
  return EXIT.ok;
}
