import type { CallReply } from '../../src/actors/port.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { says } from '../../src/host/testing/test-world.ts';

/** What a scripted model says in these tests. */

let count = 0;

export const calls = (name: string, input: JsonObject): CallReply =>
  says('', [{ id: `${name}-${(count += 1)}`, name, arguments: input }]);

export const writes = (path: string, content: string): CallReply => calls('write_file', { path, content });

export const votes = (choice: string, reason = 'because'): CallReply => calls('cast_ballot', { choice, reason });

export const picks = (winner: string, reason = 'It is right.'): CallReply => calls('pick_winner', { winner, reason });

export const lists = (items: readonly string[]): CallReply => calls('list_items', { items: [...items] });

export const handsOver = (isDone: boolean, summary: string): CallReply =>
  calls('hand_over', { nothing_left: isDone, summary });

/** Writes a file in the first call of a turn, then says that it is done. */
export const writesThenSays = ({ call }: { readonly call: number }, path: string, content: string): CallReply =>
  call === 1 ? writes(path, content) : says('done');

export const fails = (message: string): CallReply => ({
  kind: 'failed',
  failure: { code: 'REQUEST_REFUSED', message, class: 'config' },
});

/** Never answers; ends when it is stopped. */
export const hangs = ({ signal }: { readonly signal: AbortSignal }): Promise<CallReply> =>
  new Promise((resolve) => {
    const stop = () =>
      resolve({ kind: 'failed', failure: { code: 'CANCELLED', message: 'It was stopped.', class: 'cancelled' } });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
