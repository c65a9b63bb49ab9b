import { load } from 'js-yaml';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { parseScenario } from '../../../src/actors/scripted/scenario.ts';
import { startScriptedServer } from '../../../src/actors/scripted/scripted-server.ts';

/** A scripted model behind an address whose answers to an agent wait until they are let go: no test has to be quick. */
export interface HeldModel {
  readonly url: string;
  /** From now on nothing is answered to it. */
  hold(...agents: readonly string[]): void;
  letGo(...agents: readonly string[]): void;
}

export async function heldModel(scenario: string): Promise<HeldModel> {
  const parsed = parseScenario(load(scenario));
  if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed.problems));
  const model = await startScriptedServer({ scenario: parsed.scenario });
  const held = new Map<string, PromiseWithResolvers<void>>();
  const gate = createServer((asked, answer) => {
    const agent = String(asked.headers['x-troupe-agent'] ?? '');
    void (held.get(agent)?.promise ?? Promise.resolve()).then(() => pass(asked, answer, model.port));
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const letGo = (...agents: readonly string[]): void => {
    for (const agent of agents) {
      held.get(agent)?.resolve();
      held.delete(agent);
    }
  };
  onTestFinished(async () => {
    letGo(...held.keys());
    gate.closeAllConnections();
    gate.close();
    await model.close();
  });
  return {
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    hold: (...agents) => {
      for (const agent of agents) held.set(agent, held.get(agent) ?? Promise.withResolvers<void>());
    },
    letGo,
  };
}

function pass(asked: IncomingMessage, answer: ServerResponse, port: number): void {
  const { method, url, headers } = asked;
  const sent = request({ host: '127.0.0.1', port, method, path: url, headers }, (got) => {
    answer.writeHead(got.statusCode ?? 500, got.headers);
    got.pipe(answer);
  });
  sent.on('error', () => answer.destroy());
  asked.pipe(sent);
}
