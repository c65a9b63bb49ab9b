import { expect, test } from 'vitest';
import type { CallReply } from '../../src/actors/port.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { PatternBench, type Asked } from './patterns-bench.ts';
import { fails, lists, writes } from './replies.ts';

const itemOf = ({ prompt }: Asked): string =>
  /# Your item\n\n(.*)\n\nDo the task for this item only/s.exec(prompt)?.[1] ?? '';

/** Each writes its own file for its item; the reducer says how many results it got. */
const works = (asked: Asked): CallReply => {
  if (asked.role === 'splitter') return lists(['x', 'y']);
  if (asked.role === 'reducer') return says(`${asked.prompt.split('## ').length - 1} results`);
  const item = itemOf(asked);
  return asked.call === 1 ? writes(`${item}.txt`, `${item} by ${asked.model}\n`) : says(`${item} is done`);
};

const mapReduce = async (input: object, plot: (asked: Asked) => CallReply = works) => {
  const bench = new PatternBench(plot);
  const rest = await bench.start('map_reduce', { task: 'Do all', ...input });
  return { bench, rest };
};

test('[PD8] one agent for each item, models by turns, all files come home, one reduces', async () => {
  const { bench, rest } = await mapReduce({ items: ['a', 'b', 'c'], models: ['one', 'two'] });
  expect(rest).toMatchObject({
    outcome: 'ok',
    output: {
      whole: '3 results',
      items: [
        { id: 'item_1', item: 'a', outcome: 'ok', output: 'a is done' },
        { id: 'item_2', item: 'b', outcome: 'ok' },
        { id: 'item_3', item: 'c', outcome: 'ok' },
      ],
    },
  });
  expect(['a', 'b', 'c'].map((name) => bench.file(`${name}.txt`))).toEqual(['a by one\n', 'b by two\n', 'c by one\n']);
  expect(bench.promptsTo('reducer')[0]).toContain('## item_2: "b"\nb is done');
  expect(bench.promptsTo('splitter')).toEqual([]);
});

test('[PD8] a planner makes the list where there is none, and an item that is no text is reported as JSON', async () => {
  const planned = await mapReduce({});
  expect(planned.rest).toMatchObject({ outcome: 'ok', output: { items: [{ item: 'x' }, { item: 'y' }] } });
  const shaped = await mapReduce({ items: [{ id: 7 }], models: [] }, (asked) =>
    asked.role === 'reducer' ? works(asked) : says(itemOf(asked)),
  );
  // Without a name: the role's own model.
  expect(shaped.bench.modelsOf('mapper')).toEqual(['base']);
  expect(shaped.rest).toMatchObject({ outcome: 'ok', output: { items: [{ output: '{"id":7}' }] } });
});

test('[PD8] what is missing is reported to the reducer, the run is partial, and the results that came are kept', async () => {
  const { bench, rest } = await mapReduce({ items: ['a', 'b', 'c'], quorum: 2 }, (asked) =>
    asked.role === 'mapper' && itemOf(asked) === 'b' ? fails('no such key') : works(asked),
  );
  expect(rest).toMatchObject({
    outcome: 'partial',
    failure: { code: 'ITEMS_MISSING', message: '2 of 3 items succeeded; at least 2 must.' },
    output: { whole: '3 results', items: [{ outcome: 'ok' }, { outcome: 'failed' }, { output: 'c is done' }] },
  });
  expect(bench.promptsTo('reducer')[0]).toMatch(/## item_2: "b"\nMISSING, failed: .*no such key/);
});

test('[PD8] below the quorum the reducer does not run, and the results are kept', async () => {
  const { bench, rest } = await mapReduce({ items: ['a', 'b'], quorum: 2 }, (asked) =>
    itemOf(asked) === 'b' ? fails('no such key') : works(asked),
  );
  expect(rest).toMatchObject({
    outcome: 'failed',
    failure: { code: 'QUORUM_MISSED' },
    output: { items: [{ outcome: 'ok', output: 'a is done' }, { outcome: 'failed' }] },
  });
  expect(bench.promptsTo('reducer')).toEqual([]);
  expect(bench.file('a.txt')).toBe('a by base\n');
  const more = await mapReduce({ items: ['a'], quorum: 2 });
  expect(more.rest).toMatchObject({ outcome: 'failed', failure: { code: 'QUORUM_MISSED' } });
});

test('[PD8] two items that collide: the second settles it in its own session', async () => {
  const { bench, rest } = await mapReduce({ items: ['a', 'b'] }, (asked) => {
    if (asked.role === 'reducer') return works(asked);
    const isSettling = asked.prompt.includes('same.txt');
    if (asked.call > 1) return says('done');
    return isSettling ? writes('same.txt', 'both\n') : writes('same.txt', `${itemOf(asked)}\n`);
  });
  expect(rest).toMatchObject({ outcome: 'ok' });
  expect(bench.file('same.txt')).toBe('both\n');
  expect(bench.promptsTo('mapper')).toHaveLength(3);
});

test('[PD8] an item that never settles its conflict is left out', async () => {
  const { bench, rest } = await mapReduce({ items: ['a', 'b'] }, (asked) => {
    if (asked.role === 'reducer') return works(asked);
    if (asked.call > 1 || asked.prompt.includes('same.txt')) return says('done');
    return writes('same.txt', `${itemOf(asked)}\n`);
  });
  expect(rest).toMatchObject({ outcome: 'partial', failure: { code: 'ITEMS_MISSING' } });
  expect(rest.output).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ outcome: 'blocked' })]),
  });
  // One turn to settle it, which changed nothing: the next one is not paid.
  expect(bench.promptsTo('mapper')).toHaveLength(3);
});

test('[PD8] where all items fail the run does', async () => {
  const { rest } = await mapReduce({ items: ['a', 'b'] }, () => fails('no such key'));
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'JOIN_FAILED' } });
});

test('[PD8] a planner that lists nothing is asked once more, then the run has failed', async () => {
  const { bench, rest } = await mapReduce({}, () => says('There is nothing.'));
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'REPLY_OWED' } });
  expect(bench.asked.map(({ role }) => role)).toEqual(['splitter', 'splitter']);
});

test('[PD8] [L4] the reducer gets the diff and the test result, and files that it changed have to pass too', async () => {
  const changes = (content: string) => (asked: Asked) => {
    if (asked.role !== 'reducer') return works(asked);
    return asked.call === 1 ? writes('a.txt', content) : says('whole');
  };
  const input = { items: ['a'], verify: '! grep -q broken a.txt' };
  const { bench, rest } = await mapReduce(input, changes('better\n'));
  expect(rest).toMatchObject({ outcome: 'ok', output: { whole: 'whole' } });
  expect(bench.promptsTo('reducer')[0]).toMatch(/# All changes, merged\n\n1 changed:\na\.txt \+1 -0[^]*# Tests\n\n/);
  const lost = await mapReduce(input, changes('broken\n'));
  expect(lost.rest).toMatchObject({
    outcome: 'failed',
    failure: { code: 'COMMAND_FAILED' },
    output: { whole: 'whole' },
  });
});
