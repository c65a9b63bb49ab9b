import type { Definition } from '../../core/model/definition.ts';
import type { Limits } from '../../core/model/workflow.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { CallReply } from '../../actors/port.ts';
import type { Journal } from '../../journal/port.ts';
import { says } from './test-world.ts';
import { build, each, end, expression, to, turn, work } from './build-definition.ts';

/** Tokens of a call of the test model. */
export const CALL_TOKENS = 15;

/** Four units at once, each a run with six calls of its own, under one limit. */
export function sharingLimit(limits: Partial<Limits>): Definition {
  const child = build({
    name: 'child',
    states: [
      work('code', turn('coder', 'common_data.job'), [
        to('code', { when: 'contexts.room.messages.length < 12' }),
        to('stop'),
      ]),
      end('stop'),
    ],
  });
  return build({
    data: { jobs: ['one', 'two', 'three', 'four'] },
    library: { child: child.workflow },
    limits,
    states: [
      work(
        'jobs',
        each(
          'common_data.jobs',
          { kind: 'call', workflow: 'child', workspace: 'own', input: { job: expression('item') } },
          4,
        ),
        [to('stop')],
      ),
      end('stop'),
    ],
  });
}

export const answeredCalls = async (journal: Journal, root: RunId): Promise<number> =>
  (await journal.tree(root)).filter(({ fact }) => fact.kind === 'call.answered').length;

/** A model that takes longer than messages between runs: it answers when the last answer is recorded and all messages are taken. */
export function slowModel(journal: Journal): (request: { readonly run: string }) => Promise<CallReply> {
  let given = 0;
  let before = Promise.resolve();
  const turnOf = async (root: RunId): Promise<void> => {
    await before;
    while ((await answeredCalls(journal, root)) < given || (await journal.addressed()).length > 0)
      await new Promise(setImmediate);
    given += 1;
  };
  return async ({ run }) => {
    before = turnOf(rootRunId(run as RunId));
    await before;
    return says('ok');
  };
}
