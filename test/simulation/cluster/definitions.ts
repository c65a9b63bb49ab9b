import type { Definition } from '../../../src/core/model/definition.ts';
import { build, each, end, expression, to, turn, work } from '../../../src/host/testing/build-definition.ts';

/** A pool of runs in separate workspaces, each of which calls another run, then one more turn. */
export function spread(slots = 2): Definition {
  const leaf = build({
    name: 'leaf',
    states: [
      work('look', turn('coder', "'look at ' + common_data.job"), [to('stop')]),
      end('stop', "'saw ' + common_data.job"),
    ],
  });
  const child = build({
    name: 'child',
    states: [
      work('code', turn('coder', 'common_data.job'), [to('call')]),
      work('call', { kind: 'call', workflow: 'leaf', input: { job: expression('common_data.job') } }, [
        to('stop', { assign: 'this.common_data.seen = result' }),
      ]),
      end('stop', "'did ' + common_data.job"),
    ],
  });
  return build({
    data: { jobs: ['one', 'two', 'three', 'four'] },
    library: { child: child.workflow, leaf: leaf.workflow },
    states: [
      work(
        'jobs',
        each(
          'common_data.jobs',
          { kind: 'call', workflow: 'child', workspace: 'own', input: { job: expression('item') } },
          slots,
        ),
        [to('nap', { assign: 'this.common_data.results = result.units' })],
      ),
      work('nap', { kind: 'wait', ms: expression('50') }, [to('say')]),
      work('say', turn('coder', "'all done'"), [to('stop')]),
      end('stop', 'common_data.results'),
    ],
  });
}

/** A pool of runs that are pools of runs, one slot each; what waits for a far time gives its slot away. */
export function nested(): Definition {
  const leaf = build({
    name: 'leaf',
    states: [
      work('wait', { kind: 'wait', ms: expression('60000') }, [to('code')]),
      work('code', turn('coder', 'common_data.job'), [to('stop')]),
      end('stop', "'did ' + common_data.job"),
    ],
  });
  const middle = build({
    name: 'middle',
    states: [
      work(
        'parts',
        each(
          "[common_data.job + ' a', common_data.job + ' b']",
          { kind: 'call', workflow: 'leaf', workspace: 'own', input: { job: expression('item') } },
          1,
        ),
        [to('stop', { assign: 'this.common_data.parts = result.units' })],
      ),
      end('stop', 'common_data.parts'),
    ],
  });
  return build({
    data: { jobs: ['one', 'two'] },
    library: { middle: middle.workflow, leaf: leaf.workflow },
    states: [
      work(
        'jobs',
        each(
          'common_data.jobs',
          { kind: 'call', workflow: 'middle', workspace: 'own', input: { job: expression('item') } },
          1,
        ),
        [to('stop', { assign: 'this.common_data.results = result.units' })],
      ),
      end('stop', 'common_data.results'),
    ],
  });
}

/** Runs on several processes that all count on in one place, each while a run below it waits for a person. */
export function meeting(): Definition {
  const leaf = build({
    name: 'leaf',
    states: [work('ask', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('stop')]), end('stop')],
  });
  const ask = { kind: 'call', workflow: 'leaf', input: {} } as const;
  const count = { kind: 'compute', program: 'count', input: expression('null') } as const;
  const list = [
    { id: 'waits', after: [], work: ask },
    { id: 'counts', after: [], work: count },
  ];
  const both = { kind: 'pool', units: { kind: 'fixed', list }, slots: 2, join: { rule: 'first' }, grow: null } as const;
  const middle = build({
    name: 'middle',
    states: [
      work('both', both, [], { on: { partial: [to('again')] } }),
      work('again', both, [], { on: { partial: [to('stop')] } }),
      end('stop', "'did ' + common_data.job"),
    ],
  });
  return build({
    data: { jobs: ['one', 'two', 'three', 'four'] },
    library: { middle: middle.workflow, leaf: leaf.workflow },
    states: [
      work(
        'jobs',
        each(
          'common_data.jobs',
          { kind: 'call', workflow: 'middle', workspace: 'own', input: { job: expression('item') } },
          4,
        ),
        [to('stop', { assign: 'this.common_data.results = result.units' })],
      ),
      end('stop', 'common_data.results'),
    ],
  });
}
