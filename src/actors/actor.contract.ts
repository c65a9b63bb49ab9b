import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runId } from '../core/model/ids.ts';
import { FAILURE_CLASSES } from '../core/model/outcome.ts';
import type { Role } from '../core/model/role.ts';
import type { Actor, CallOptions, CallReply, CallRequest } from './port.ts';

/** An implementation to be tested. */
export interface ActorSubject {
  /** Says something to every call. */
  readonly answering: Actor;
  /** Fails every call, in whatever way its kind can fail. */
  readonly failing: Actor;
  /** Never answers. */
  readonly hanging: HangingActor;
  close(): Promise<void>;
}

export interface HangingActor {
  readonly actor: Actor;
  /** Resolves when a call has got as far as it gets. */
  readonly underWay: () => Promise<void>;
  /** Resolves when nothing of the stopped call is left: no process, no socket. */
  readonly gone: () => Promise<void>;
}

const PROMPT_MS = 5_000;

/** [A1]–[A3] of the port, for every kind of actor. */
export function actorContract(name: string, make: () => Promise<ActorSubject>): void {
  describe(`the contract of actors: ${name}`, () => {
    let subject: ActorSubject;
    let calls: ReturnType<typeof sharedCalls>;
    beforeAll(async () => {
      subject = await make();
      calls = sharedCalls(subject);
    });
    afterAll(async () => {
      await subject.close();
    });

    test('[A1] a call resolves with one answer that is plain JSON and equals what was streamed', async () => {
      const { reply, text } = await calls.first();
      expect(reply).toMatchObject({ kind: 'answered', content: text });
      expect(text).not.toBe('');
      expect(JSON.parse(JSON.stringify(reply))).toEqual(reply);
    });

    test('[A1] calls at the same time each get their own reply, and a live view that throws does not cost one', async () => {
      const replies = await calls.later();
      expect(replies.map(({ kind }) => kind)).toEqual(['answered', 'answered']);
    });

    test('[A1] a failure is a reply with a class, a code and a sentence, not a rejection', async () => {
      const reply = await subject.failing.call(sampleRequest(), { signal: never() });
      expect(reply.kind).toBe('failed');
      if (reply.kind !== 'failed') return;
      expect(FAILURE_CLASSES).toContain(reply.failure.class);
      expect(reply.failure.code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
      expect(reply.failure.message).toMatch(/^[A-Z].{10,}/);
    });

    test('[A2] a signal that fired before the call ends it as cancelled', async () => {
      const reply = await subject.answering.call(sampleRequest(), { signal: AbortSignal.abort() });
      expect(reply).toMatchObject(CANCELLED);
    });

    test('[A2] a signal in the middle ends the call promptly, as cancelled, and nothing is left running', async () => {
      const controller = new AbortController();
      const { actor, underWay, gone } = subject.hanging;
      const pending: Promise<CallReply> = actor.call(sampleRequest(), { signal: controller.signal });
      await underWay();
      const before = performance.now();
      controller.abort();
      const reply = await pending;
      await gone();
      expect(reply).toMatchObject(CANCELLED);
      expect(performance.now() - before).toBeLessThan(PROMPT_MS);
    });

    test('[A3] the second call does not count what the first one used', async () => {
      const { reply } = await calls.first();
      const replies = [reply, ...(await calls.later())];
      const used = replies.map((one) => (one.kind === 'answered' ? one.usage : null));
      expect(used[0]).toMatchObject({ calls: 1 });
      expect(used).toEqual(replies.map(() => used[0]));
    });
  });
}

/** Calls that several tests look at: with a real client each of them starts a large program. */
function sharedCalls({ answering }: ActorSubject) {
  const first = async () => {
    const deltas: string[] = [];
    const reply = await answering.call(sampleRequest(), { signal: never(), onText: (text) => deltas.push(text) });
    return { reply, text: deltas.join('') };
  };
  const onText = (): never => {
    throw new Error('The view is broken.');
  };
  const call = (key: string, options: Partial<CallOptions>) =>
    answering.call(sampleRequest({ idempotencyKey: key }), { signal: never(), ...options });
  const begun: { first?: ReturnType<typeof first>; later?: Promise<readonly CallReply[]> } = {};
  const isOver = () => (begun.first ??= first());
  return {
    first: isOver,
    /** Two at the same time after the first, one with a broken view. */
    later: () =>
      (begun.later ??= isOver().then(async () => await Promise.all([call('key-1', {}), call('key-2', { onText })]))),
  };
}

const CANCELLED = { kind: 'failed', failure: { class: 'cancelled' } };

const never = (): AbortSignal => new AbortController().signal;

export const sampleRole: Role = {
  name: 'coder',
  level: 'base',
  systemMessage: 'You write code.',
  examples: [],
  excludedTools: [],
  includedTools: null,
  parsingTools: [],
};

export function sampleRequest(change: Partial<CallRequest> = {}): CallRequest {
  return {
    run: runId('run-1'),
    agent: 'coder',
    role: sampleRole,
    state: 'coding',
    visit: 1,
    call: 1,
    attempt: 1,
    idempotencyKey: 'run-1/coding.1/1',
    shared: '',
    messages: [{ role: 'user', content: 'Write hello.' }],
    tools: [],
    ...change,
  };
}
