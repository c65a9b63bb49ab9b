import { promptFor } from '../../src/actors/model/prompt.ts';
import type { Actor, CallReply, CallRequest } from '../../src/actors/port.ts';
import type { ModelWindow } from '../../src/core/model/model-window.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { State } from '../../src/core/model/workflow.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import type { Tool } from '../../src/tools/port.ts';

/** A run whose conversation outgrows its window: agents take turns in one context and read texts of any size. */
export interface GeneratedRun {
  readonly definition: Definition;
  readonly actor: Actor;
  /** Filled as the run goes. */
  readonly seen: SeenRequest[];
}

export interface SeenRequest {
  readonly hasOrder: boolean;
  /** That of the conversation, and that of the agent. */
  readonly hasFirstOrder: boolean;
  readonly characters: number;
}

export const readSome: Tool = {
  spec: {
    name: 'read_some',
    description: 'Gives as many characters as were asked for.',
    parameters: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] },
  },
  access: 'read',
  repeat: 'safe',
  run: ({ size }) => Promise.resolve({ content: 'lorem ipsum '.repeat(Number(size) / 12), isError: false }),
};

/** `random` gives numbers from 0 to 1; `window` is that of the model and of the context, in characters. */
export function generatedRun(random: () => number, window: number): GeneratedRun {
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const agents = ['ann', 'bob', 'cid'].slice(0, between(1, 3));
  const turns = Array.from({ length: between(2, 8) }, (_, at) => agents[between(0, agents.length - 1)] ?? `at ${at}`);
  // Up to twenty windows of text in all.
  const size = Math.floor((window * between(1, 20)) / turns.length / MOST_CALLS);
  const seen: SeenRequest[] = [];
  const actor: Actor = {
    kind: 'generated',
    window: modelWindow(Math.floor(window / BYTES_A_TOKEN), random() < 0.5),
    call: (request) => {
      const one = seenIn(request, turns);
      seen.push(one);
      const isSummary = request.idempotencyKey.endsWith('/summary');
      const isReading = !isSummary && request.call <= between(1, MOST_CALLS);
      const reply = isReading
        ? reads(request, between(1, 2 * size))
        : says(isSummary ? 'Some texts are read.' : 'Done.');
      return Promise.resolve(counted(reply, Math.ceil(one.characters / BYTES_A_TOKEN)));
    },
  };
  const states: State[] = turns.map((agent, at) =>
    work(`t${at}`, turn(agent, `'${orderOf(at)}'`), [to(at + 1 < turns.length ? `t${at + 1}` : 'stop')]),
  );
  const { workflow, ...rest } = build({
    roles: Object.fromEntries(agents.map((agent) => [agent, {}])),
    states: [...states, end('stop')],
  });
  const contexts = workflow.contexts.map((context) => ({ ...context, maxLength: window }));
  return { definition: { ...rest, workflow: { ...workflow, contexts } }, actor, seen };
}

const BYTES_A_TOKEN = 3;

const modelWindow = (tokens: number, mayEdit: boolean): ModelWindow => ({
  model: 'generated',
  tokens,
  output: Math.floor(tokens / 5),
  isConfigured: true,
  density: 1,
  mayEdit,
});

const MOST_CALLS = 5;

const orderOf = (at: number): string => `Order ${at}: do part ${at} of the work.`;

function seenIn(request: CallRequest, turns: readonly string[]): SeenRequest {
  const text = JSON.stringify(promptFor(request, { provider: 'anthropic', model: 'any' }));
  return {
    hasOrder: text.includes(orderOf(Number(request.state.slice(1)))),
    hasFirstOrder: [0, turns.indexOf(request.agent)].every((at) => text.includes(orderOf(at))),
    characters: Buffer.byteLength(text),
  };
}

const reads = (request: CallRequest, size: number): CallReply =>
  says('', [{ id: `${request.state}-${request.call}`, name: 'read_some', arguments: { size } }]);

/** As an endpoint counts it. */
const counted = (reply: CallReply, inputTokens: number): CallReply =>
  reply.kind === 'answered' ? { ...reply, usage: { ...reply.usage, inputTokens } } : reply;
