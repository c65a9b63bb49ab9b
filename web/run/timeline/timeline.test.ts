import { historyOf } from '../../model/run-history.ts';
import { describe, expect, test } from 'vitest';
import { apartTree } from '../../model/testing/apart-tree.ts';
import { recordedTree } from '../../model/testing/recorded-tree.ts';
import type { Fact } from '../../../src/core/record/fact.ts';
import { takeLines } from '../../model/run-tree.ts';
import { entered, smallTree, turn } from '../../model/testing/small-run.ts';
import { barEnd, barLabel, barName, barTitle, visibleBars, xOf } from './visible-bars.ts';
import { barBeside, barSelection, isChosenBar, neighbourBar, nextLaneBar, nextVisit } from './next-step.ts';
import { axisMarks, isWhole, panned, within, zoomed } from './time-range.ts';
import { timelineRows, type TimelineRow } from './timeline-rows.ts';
import { ended, settled } from '../../../src/protocol/workflow-state/testing/test-records.ts';
import { startedRun } from '../../../src/core/testing/started-run.ts';

const nameOf = (row: TimelineRow): string =>
  row.kind === 'run' ? `run ${row.title}` : row.lane.kind === 'agent' ? row.lane.agent : row.lane.kind;

describe('[U2] lanes', () => {
  test('agents of a real review in the order they came, then the engine, with what goes on at once below each other', () => {
    const rows = timelineRows(recordedTree('review'), () => true);
    expect(rows.map(nameOf)).toEqual(['impl_1', 'impl_2', 'impl_3', 'rev_1', 'rev_2', 'engine']);
    expect(rows.map(({ lines }) => lines)).toEqual([1, 1, 1, 1, 1, 3]);
  });

  test('runs below are heads that unfold to their lanes', () => {
    const tree = recordedTree('quest');
    const folded = timelineRows(tree, () => false);
    expect(folded.map(nameOf)).toEqual([
      'chaoswhisperer',
      'pathseeker',
      'lawbringer',
      'engine',
      'run a',
      'run b',
      'run c',
      'run d',
    ]);
    const open = timelineRows(tree, (run) => run.endsWith('/t5'));
    expect(open.slice(4, 8).map((row) => [nameOf(row), row.level])).toEqual([
      ['run a', 0],
      ['codeweaver', 1],
      ['siegemaster', 1],
      ['engine', 1],
    ]);
  });

  test('[U8] a turn that a run below takes stands in the lane of its agent, and is no head', () => {
    for (const isOver of [false, true]) {
      const rows = timelineRows(apartTree(isOver), () => true);
      expect(rows.map((row) => [nameOf(row), row.level])).toEqual([['ada', 0]]);
      const [row] = rows;
      expect(row?.kind === 'lane' && row.bars.map(({ bar }) => [bar.run, bar.state, bar.outcome])).toEqual([
        ['r/t1', 's', isOver ? 'ok' : null],
      ]);
    }
  });

  test('one lane of the person for all runs, first', () => {
    const ask = { kind: 'ask', question: 'Which one?', choices: [] };
    const rows = timelineRows(
      smallTree(entered('a', 1), turn('t1', 'a'), ended('t1'), turn('t2', 'a', { work: ask })),
      () => true,
    );
    expect(rows.map(nameOf)).toEqual(['person', 'ada']);
  });

  test('the bar of a sub-agent shows time at work, like all others: pauses do not count', () => {
    const facts: readonly (readonly [second: number, fact: object])[] = [
      [1, startedRun('r/s1')],
      [2, { kind: 'run.paused', by: 'ada', reason: 'lunch' }],
      [5, { kind: 'run.continued', by: 'ada' }],
      [6, settled()],
    ];
    const lines = facts.map(([second, fact], index) => ({
      run: 'r/s1',
      record: { seq: index + 1, at: second * 1000, fact: fact as Fact, commit: index + 1 },
    }));
    const { tree } = takeLines(smallTree(entered('a', 1), turn('t1', 'a')), lines);
    const head = timelineRows(tree, () => false).find((row) => row.kind === 'run');
    expect(head?.kind === 'run' && barEnd(head.whole, 60_000)).toBe('2.0 s');
  });

  test('nothing is rebuilt that has not changed', () => {
    const tree = recordedTree('review');
    const [one, two] = [timelineRows(tree, () => true), timelineRows(tree, () => true)];
    expect(
      one.every((row, index) => row.kind === 'lane' && two[index]?.kind === 'lane' && row.bars === two[index].bars),
    ).toBe(true);
  });
});

describe('[U2] the part of the time that is shown', () => {
  const whole = { from: 0, to: 1000 };

  test('narrower and wider around a moment that stays where it is', () => {
    expect(zoomed(whole, { at: 250, factor: 0.5 }, whole)).toEqual({ from: 125, to: 625 });
    expect(zoomed({ from: 100, to: 200 }, { at: 150, factor: 100 }, whole)).toEqual(whole);
    expect(zoomed(whole, { at: 500, factor: 0.0001 }, whole)).toEqual({ from: 490, to: 510 });
  });

  test('never outside of what there is', () => {
    expect(panned({ from: 800, to: 900 }, 500, whole)).toEqual({ from: 900, to: 1000 });
    expect(within({ from: -50, to: 5000 }, whole)).toEqual(whole);
    expect([isWhole(whole, whole), isWhole({ from: 0, to: 500 }, whole)]).toEqual([true, false]);
  });

  test('marks in steps that people count in', () => {
    const texts = (to: number, most: number): readonly string[] =>
      axisMarks({ from: 0, to }, { start: 0, most }).map(({ text }) => text);
    expect(texts(1000, 5)).toEqual(['0', '200 ms', '400 ms', '600 ms', '800 ms', '1 s']);
    expect(texts(120_000, 4)).toEqual(['0', '30 s', '1:00', '1:30', '2:00']);
    expect(texts(7_200_000, 2)).toEqual(['0', '1:00 h', '2:00 h']);
    expect(texts(10 * 86_400_000, 2).at(-1)).toBe('7 d');
  });
});

describe('[U2] bars', () => {
  const rows = timelineRows(recordedTree('demo'), () => true);
  const [coder, reviewer] = rows.flatMap((row) => (row.kind === 'lane' ? [row.bars] : []));

  test('only those in sight are drawn, and those too small to be distinguished are one', () => {
    const bars = coder ?? [];
    const first = bars[0]?.bar;
    const range = { from: first?.startedAt ?? 0, to: first?.endedAt ?? 0 };
    expect(visibleBars(bars, { range, width: 500 }, range.to)).toMatchObject([{ left: 0, width: 500, count: 1 }]);
    const century = { from: range.from, to: range.from + 1e12 };
    expect(visibleBars(bars, { range: century, width: 500 }, range.to)).toMatchObject([{ count: 2 }]);
    expect(xOf(range.to, { range, width: 500 })).toBe(500);
  });

  test('5,000 of them are a few hundred on the screen', () => {
    const bar = coder?.[0]?.bar;
    if (bar === undefined) throw new Error('not recorded');
    const many = Array.from({ length: 5000 }, (_, index) => ({
      bar: { ...bar, key: String(index), startedAt: index * 100, endedAt: index * 100 + 90 },
      line: 0,
    }));
    const drawn = visibleBars(many, { range: { from: 0, to: 500_000 }, width: 1000 }, 0);
    expect(drawn.length).toBeLessThan(300);
    expect(drawn.reduce((sum, { count }) => sum + count, 0)).toBe(5000);
  });

  test('say what they are, how they came out and how long it took', () => {
    const bar = coder?.[0]?.bar;
    if (bar === undefined) throw new Error('not recorded');
    expect([barLabel(bar), barEnd(bar, 0)]).toEqual(['code', '721 ms']);
    const bad = {
      ...bar,
      outcome: 'failed' as const,
      queuedAt: bar.startedAt - 2000,
      unit: 'x',
      failure: { code: 'CALL_FAILED' as const, message: 'It broke.', class: 'logic' as const },
    };
    expect([barLabel(bad), barEnd(bad, 0)]).toEqual(['code · x', 'failed · 721 ms']);
    expect(barName(bad, 0)).toBe('coder: code · x failed · 721 ms, visit 1, failed, queued for 2.0 s, It broke.');
    expect(barTitle(bad, 0)).toBe('coder: code · x, visit 1\nfailed · 721 ms\nqueued for 2.0 s\nIt broke.');
  });

  test('the same selection as everywhere: a bar chooses its state, visit and task, and shows that it is chosen', () => {
    const bar = coder?.[1]?.bar;
    if (bar === undefined) throw new Error('not recorded');
    const chosen = barSelection(bar, bar.run);
    expect(chosen).toEqual({
      run: undefined,
      state: 'code',
      visit: 2,
      task: 't3',
      seq: undefined,
      agent: 'coder',
      context: undefined,
    });
    const isChosen = (selection: object): boolean => isChosenBar(bar, selection, bar.run);
    expect([
      isChosen({ state: 'code', visit: 2, task: 't3' }),
      isChosen({ state: 'code' }),
      isChosen({ state: 'code', visit: 1 }),
      isChosen({ run: 'x', state: 'code' }),
    ]).toEqual([true, true, false, false]);
  });

  test('j and k go from step to step, h and l from lane to lane', () => {
    const tree = recordedTree('demo');
    const run = tree.runs.get(tree.root);
    const visits = run === undefined ? [] : historyOf(run).visits.counting;
    const to = (selection: object, by: 1 | -1): string => {
      const visit = nextVisit(visits, selection, by);
      return visit === null ? '' : `${visit.state} ${visit.visit}`;
    };
    expect([
      to({}, 1),
      to({}, -1),
      to({ state: 'code', visit: 1 }, 1),
      to({ state: 'code' }, 1),
      to({ state: 'stop' }, 1),
    ]).toEqual(['start 1', 'stop 1', 'review 1', 'review 2', '']);
    const { root } = tree;
    expect(nextLaneBar(rows, { state: 'code', visit: 2, task: 't3' }, { root, by: 1 })?.task).toBe('t2');
    expect(nextLaneBar(rows, {}, { root, by: 1 })?.task).toBe('t3');
    const [one, two] = [coder?.[0]?.bar.key ?? '', coder?.[1]?.bar.key];
    expect(neighbourBar(rows, one, 1)?.key).toBe(two);
    expect(barBeside(rows, one, 1)?.key).toBe(reviewer?.[0]?.bar.key);
    expect(barBeside(rows, one, -1)).toBeNull();
  });
});
