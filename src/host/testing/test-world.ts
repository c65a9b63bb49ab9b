import type { Actor, CallReply, CallRequest, ClientTraits } from '../../actors/port.ts';
import type { Isolate } from '../../actors/script/port.ts';
import { runId } from '../../core/model/ids.ts';
import type { ToolCall } from '../../core/model/message.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import type { Journal } from '../../journal/port.ts';
import type { Tool } from '../../tools/port.ts';
import { folderOnly } from '../../workspace/testing/folder-only.ts';
import type { Workspaces } from '../../workspace/port.ts';
import { createFormats } from '../../formats/registry/programs.ts';
import { Breakers } from '../perform/turn/breakers.ts';
import type { ClientServices, Clock, World } from '../world.ts';
import { systemClock } from '../system-clock.ts';

/** A world for tests: a real journal, a real isolate, an actor given by the test. */
export interface TestWorldOptions {
  readonly journal: Journal;
  readonly answer: (request: CallRequest, signal: AbortSignal) => Promise<CallReply> | CallReply;
  readonly tools?: readonly Tool[];
  readonly clock?: Clock;
  readonly owner?: string;
  readonly folder?: string;
  readonly runCommand?: TestCommand;
  readonly workspaces?: Workspaces;
  readonly shell?: World['shell'];
  readonly sandbox?: string;
  /** The actor is a client, and gets what clients get. */
  readonly client?: ClientTraits;
  readonly call?: Actor['call'];
  readonly clients?: Partial<ClientServices>;
}

/** A command that only returns its result. */
export type TestCommand = (
  command: string,
  options: { readonly signal: AbortSignal },
) => Promise<{ readonly exitCode: number | null; readonly output: string }>;

function shellOf(run: TestCommand): World['shell'] {
  return async (command, { signal }) => {
    const { exitCode, output } = await run(command, { signal });
    return {
      exitCode,
      output,
      signal: null,
      errorOutput: '',
      rawOutput: Buffer.from(output),
      truncated: false,
      outputBytes: output.length,
      timedOut: false,
      cancelled: signal.aborted,
      startFailure: null,
      containment: 'group',
      discarded: [],
    };
  };
}

/** Real time, without pauses: on a busy machine they would change which of two agents is first. */
const { pause: _ofBusyLoops, ...unhurriedClock } = systemClock;

let count = 0;

export function testWorld(options: TestWorldOptions): World & { readonly calls: CallRequest[] } {
  const calls: CallRequest[] = [];
  const actor: Actor = {
    kind: 'test',
    ...(options.client === undefined ? {} : { client: options.client }),
    call(request, given) {
      calls.push(request);
      return options.call?.(request, given) ?? Promise.resolve(options.answer(request, given.signal));
    },
  };
  return {
    calls,
    journal: options.journal,
    clock: options.clock ?? unhurriedClock,
    newRunId: () => runId(`run-${(count += 1)}`),
    owner: options.owner ?? 'test',
    engine: 'test',
    actorFor: () => Promise.resolve(actor),
    clients: clientServices(options),
    formats: createFormats({ home: '', tell: () => undefined }),
    tools: options.tools ?? [],
    isolate: async () => ({ ...(await (shared ??= openIsolate())), close: async () => undefined }),
    workspaces: options.workspaces ?? folderOnly(() => Promise.resolve(options.folder ?? '.')),
    shell:
      options.shell ??
      shellOf(options.runCommand ?? ((command) => Promise.resolve({ exitCode: 0, output: `ran ${command}` }))),
    ...(options.sandbox === undefined ? {} : { sandbox: () => Promise.resolve(options.sandbox ?? '') }),
  };
}

/** One for all worlds of a file: starting its thread costs more than most tests. An idle thread does not hold up the process. */
let shared: Promise<Isolate> | undefined;
const openIsolate = async (): Promise<Isolate> => (await import('../../actors/script/isolate.ts')).createIsolate();

function clientServices({ clients, clock = systemClock }: TestWorldOptions): ClientServices {
  let sessions = 0;
  return {
    desks: async () => (await import('../desk/desk-office.ts')).openDeskOffice(),
    homeOf: async ({ run, agent, kind }) => `${run}-${agent}-${kind}`,
    limitsOf: () => ({ idleMs: 60_000, wallMs: 60_000 }),
    breakers: new Breakers(() => clock.now()),
    newSession: () => `session-${(sessions += 1)}`,
    ...clients,
  };
}

export function says(content: string, toolCalls: readonly ToolCall[] = []): CallReply {
  return {
    kind: 'answered',
    content,
    toolCalls,
    usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 5, calls: 1 },
    costUsd: 0.001,
    model: 'test-model',
  };
}
