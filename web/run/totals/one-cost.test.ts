import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JournalRecord } from '../../../src/core/record/fact.ts';
import { treeCost } from '../../../src/core/fold/tree-cost.ts';
import { addCost, type CostUsd } from '../../../src/core/model/usage.ts';
import { inTreeOrder } from '../../../src/protocol/history/tree-order.ts';
import { Metrics } from '../../../src/protocol/metrics/metrics.ts';
import { NO_RESULT } from '../../../src/core/look/result-state.ts';
import type { Snapshot } from '../../../src/core/fold/snapshot.ts';
import { cardDetails, foldCard } from '../../../src/protocol/web/fold-card.ts';
import { foldWorkflowState } from '../../../src/protocol/workflow-state/fold-workflow-state.ts';
import { runFigures } from '../../compare/run-figures.ts';
import { emptyTree, takeLines } from '../../model/run-tree.ts';
import { addStep, historyStep, ownCharges, RandomHistory } from '../../model/testing/random-history.ts';
import { spentByAgent, spentByRun, treeSpent } from './tree-totals.ts';

const sum = (costs: readonly { readonly costUsd: CostUsd }[]): CostUsd =>
  costs.reduce<CostUsd>((total, { costUsd }) => addCost(total, costUsd), 0);

function cardFold([first, ...others]: readonly JournalRecord[]): Snapshot {
  if (first === undefined) throw new Error('There is no record.');
  return others.reduce((fold, record) => foldCard(fold, record), foldCard(null, first));
}

test('[R4] every view of a tree of runs comes to the same cost, whatever failed, forked or was undone', () => {
  fc.assert(
    fc.property(fc.array(historyStep, { maxLength: 40 }), (steps) => {
      const history = new RandomHistory();
      for (const step of steps) addStep(history, step);
      const { journals, snapshots, root, find } = history;
      const own = [...journals].filter(([run]) => run === root || run.startsWith(`${root}/`));
      const lines = own.flatMap(([run, records]) => records.map((record) => ({ run, record })));
      const inTime = inTreeOrder(lines);
      const total = sum(own.flatMap(([, records]) => ownCharges(records)));
      const snapshot = snapshots.get(root);
      const page = takeLines(emptyTree(root), inTime).tree;
      const folds = new Map(own.map(([run, records]) => [run, cardFold(records)]));
      const card = folds.get(root);
      if (snapshot === undefined || card === undefined) throw new Error('There is no root.');
      const forks = new Map(
        own.map(([run, records]) => [run, records.findLastIndex(({ fact }) => fact.kind === 'run.forked')]),
      );
      const metrics = new Metrics(0);
      const records = inTime.map((line) => ({ ...line, isInherited: line.record.seq <= (forks.get(line.run) ?? -1) }));
      metrics.add({
        run: root,
        title: '',
        project: '/p',
        status: 'running',
        driven: false,
        result: NO_RESULT,
        records,
      });
      const view = metrics.view();
      const shown = foldWorkflowState(root, inTime, new Map())?.agents ?? [];
      expect({
        list: treeCost(snapshot, find).costUsd,
        card: cardDetails(folds, card).costUsd,
        compare: sum(runFigures(page)),
        show: sum(shown.map(({ metadata }) => ({ costUsd: metadata['cost_usd'] as CostUsd }))),
        metrics: view.costUsd,
        agents: sum(view.agents),
        models: sum(view.models),
        phases: sum(view.phases.filter(({ within }) => within === null)),
        days: sum(view.days),
        page: treeSpent(page).costUsd,
        pageAgents: sum(spentByAgent(page)),
        pageRuns: sum(spentByRun(page)),
      }).toEqual({
        list: total,
        card: total,
        compare: total,
        show: total,
        metrics: total,
        agents: total,
        models: total,
        phases: total,
        days: total,
        page: total,
        pageAgents: total,
        pageRuns: total,
      });
    }),
  );
});
