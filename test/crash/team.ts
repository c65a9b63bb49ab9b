import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';

/** One of everything: a script in the isolate, a pool of agents with tools, a child run, a retry, a wait, a loop. */
export function team(): Definition {
  const child = build({
    name: 'child',
    states: [
      work('code', turn('coder', 'common_data.job'), [to('stop')]),
      end('stop', "'child: ' + last_agent_response"),
    ],
  });
  return build({
    data: { rounds: 0, items: ['x', 'y', 'z'] },
    library: { child: child.workflow },
    states: [
      work('start', { kind: 'none' }, [to('pool')], {
        enter: {
          kind: 'isolate',
          source: 'this.common_data.items = this.common_data.items.map(i => i + "!")',
          reads: ['common_data'],
        },
      }),
      work(
        'pool',
        {
          kind: 'pool',
          units: { kind: 'items', items: expression('common_data.items'), work: turn('coder', "'work on ' + item") },
          slots: 2,
          join: { rule: 'all' },
          grow: null,
        },
        [to('call', { assign: 'this.common_data.rounds = this.common_data.rounds + 1' })],
      ),
      work('call', { kind: 'call', workflow: 'child', input: { job: expression("'round ' + common_data.rounds") } }, [
        to('nap', { assign: 'this.common_data.child = this.sub_workflow_result' }),
      ]),
      work('nap', { kind: 'wait', ms: expression('1') }, [
        to('pool', { when: 'common_data.rounds < 2' }),
        to('stop', { when: 'common_data.rounds === 2' }),
      ]),
      end('stop', "common_data.child + ' / ' + contexts.room.messages.length"),
    ],
  });
}

/** Depends on the request alone, so that a run that was killed and resumed hears the same. */
export function teamAnswer(request: CallRequest): CallReply {
  const last = request.messages.at(-1);
  if (request.run.includes('/') && request.attempt === 1) {
    return { kind: 'failed', failure: { code: 'ENDPOINT_OVERLOADED', message: 'busy', class: 'overload' } };
  }
  if (!request.run.includes('/') && request.call === 1) {
    return says('', [{ id: 'n', name: 'note', arguments: { text: last?.content ?? '' } }]);
  }
  return says(`done ${request.state} ${request.visit}`);
}
