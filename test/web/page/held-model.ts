import { load } from 'js-yaml';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { parseScenario } from '../../../src/actors/scripted/scenario.ts';
import { startScriptedServer } from '../../../src/actors/scripted/scripted-server.ts';

/** A scripted model behind an address whose answers to an agent wait until they are let go: no test has to be quick. */
export interface HeldModel {
  readonly url: string;
  /** From now on nothing is answered to them. */
  hold(...agents: readonly string[]): void;
  /** One answer, to what was asked already or is asked next. */
  letOne(agent: string): void;
  letGo(...agents: readonly string[]): void;
  /** How many of its calls wait to be let go. */
  held(agent: string): number;
  /** From now on answers to it stop in the middle of their words, until it is let go. */
  holdWords(agent: string): void;
  /** Some words more. */
  letWords(agent: string): void;
}

/** So many bytes of an answer are let at once: about ten pieces of it. */
const SOME_BYTES = 2000;

export async function heldModel(scenario: string): Promise<HeldModel> {
  const parsed = parseScenario(load(scenario));
  if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed.problems));
  const model = await startScriptedServer({ scenario: parsed.scenario });
  const gates = new Map<string, Gate>();
  const words = new Map<string, Gate>();
  const server = createServer((asked, answer) => {
    const agent = String(asked.headers['x-troupe-agent'] ?? '');
    const gate = gates.get(agent);
    const go = (): void => pass(asked, answer, { port: model.port, words: words.get(agent) });
    if (gate === undefined) go();
    else gate.ask(go);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const letGo = (...agents: readonly string[]): void => {
    for (const held of [gates, words]) {
      const opened = agents.map((agent) => held.get(agent));
      for (const agent of agents) held.delete(agent);
      for (const gate of opened) gate?.open();
    }
  };
  onTestFinished(async () => {
    letGo(...gates.keys(), ...words.keys());
    server.closeAllConnections();
    server.close();
    await model.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (...agents) => {
      for (const agent of agents) if (!gates.has(agent)) gates.set(agent, new Gate());
    },
    letOne: (agent) => gates.get(agent)?.letOne(),
    letGo,
    held: (agent) => gates.get(agent)?.waiting ?? 0,
    holdWords: (agent) => void words.set(agent, new Gate()),
    letWords: (agent) => words.get(agent)?.letOne(),
  };
}

class Gate {
  #waiting: (() => void)[] = [];
  #passes = 0;

  get waiting(): number {
    return this.#waiting.length;
  }

  ask(go: () => void): void {
    this.#waiting.push(go);
    this.#move();
  }

  letOne(): void {
    this.#passes += 1;
    this.#move();
  }

  open(): void {
    this.#passes = Number.POSITIVE_INFINITY;
    this.#move();
  }

  #move(): void {
    while (this.#passes > 0 && this.#waiting.length > 0) {
      this.#passes -= 1;
      this.#waiting.shift()?.();
    }
  }
}

interface Way {
  readonly port: number;
  readonly words: Gate | undefined;
}

function pass(asked: IncomingMessage, answer: ServerResponse, { port, words }: Way): void {
  const { method, url, headers } = asked;
  const sent = request({ host: '127.0.0.1', port, method, path: url, headers }, (got) => {
    answer.writeHead(got.statusCode ?? 500, got.headers);
    if (words === undefined) got.pipe(answer);
    else passSlowly(got, answer, words).catch(() => answer.destroy());
  });
  sent.on('error', () => answer.destroy());
  asked.pipe(sent);
}

async function passSlowly(got: IncomingMessage, answer: ServerResponse, words: Gate): Promise<void> {
  let room = 0;
  for await (const piece of got as AsyncIterable<Buffer>) {
    for (let rest = piece; rest.length > 0;) {
      if (room === 0) {
        await new Promise<void>((go) => words.ask(go));
        room = SOME_BYTES;
      }
      const taken = rest.subarray(0, room);
      answer.write(taken);
      room -= taken.length;
      rest = rest.subarray(taken.length);
    }
  }
  answer.end();
}
