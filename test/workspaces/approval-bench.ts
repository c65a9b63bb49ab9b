import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { Fault } from '../../src/core/model/fault.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { RunTerms } from '../../src/core/model/run-terms.ts';
import type { Answer, Host } from '../../src/host/port.ts';
import type { World } from '../../src/host/world.ts';
import { says } from '../../src/host/testing/test-world.ts';
import type { WorkspaceSettings } from '../../src/workspace/port.ts';
import { FilesBench, uses } from './bench.ts';

export const writes = ({ messages }: CallRequest): CallReply =>
  messages.some(({ role }) => role === 'tool')
    ? says('yes, approved')
    : uses('write_file', { path: 'a.txt', content: 'A\n' });

export interface Started {
  readonly bench: FilesBench;
  readonly host: Host;
  readonly world: World;
  readonly run: RunId;
  readonly folder: string;
}

export async function started(definition: Definition, more: Partial<Options> = {}): Promise<Started> {
  const { answer = writes, settings = {} } = more;
  const bench = new FilesBench({ files: { 'a.txt': 'a\n' }, answer, settings });
  const { host, world } = bench.host({ home: bench.home, ...more.world });
  const run = await host.start({ definition, input: {}, project: bench.project, terms: more.terms ?? {} });
  return { bench, host, world, run, folder: world.workspaces.folderOf(run, 'main') };
}

interface Options {
  readonly answer: (request: CallRequest) => Promise<CallReply> | CallReply;
  readonly terms: RunTerms;
  readonly world: Partial<World>;
  readonly settings: WorkspaceSettings;
}

export const openQuestion = async (host: Host, run: RunId) => (await host.rest(run)).questions[0];

/** `taken`, or the code with which the answer was refused. */
export async function said(
  host: Host,
  run: RunId,
  answer: string | Pick<Answer, 'answer' | 'question' | 'mark'>,
): Promise<string> {
  try {
    await host.answer(run, { ...(typeof answer === 'string' ? { answer } : answer), by: 'ada' });
    return 'taken';
  } catch (error) {
    return error instanceof Fault ? error.code : String(error);
  }
}

/** Resolves with the next record of this kind, or with so many of them. */
export function recorded(host: Host, kind: string, times = 1): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  const stop = host.onLive((event) => {
    if (event.kind !== 'record' || event.record.fact.kind !== kind) return;
    seen += 1;
    if (seen < times) return;
    stop();
    resolve();
  });
  return promise;
}
