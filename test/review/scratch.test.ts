import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { ReviewBench, reviewFile } from './review-bench.ts';
import { foldDebate } from '../../src/protocol/review/fold-debate.ts';
import { foldCompare } from '../../src/protocol/review/fold-compare.ts';
import { debateText } from '../../src/cli/review/debate-text.ts';
import { compareText } from '../../src/cli/review/compare-text.ts';
import { debateNews } from '../../src/cli/review/debate-news.ts';

const plain = { width: 80, paint: (_s: string, t: string) => t } as never;
test('x', async () => {
  const bench = new ReviewBench();
  const rest = await bench.start(reviewFile());
  const records = await bench.bench.journal.read(bench.run);
  writeFileSync('/tmp/rviews-records.json', JSON.stringify(records));
  const view = foldDebate(records, { title: 'x', driven: false });
  console.log(debateText(view, plain));
  console.log(compareText(foldCompare(records, { title: 'x', driven: false }), plain));
  let before: any = null;
  for (let n = 2; n <= records.length; n += 1) {
    if (!['state.entered', 'data.set', 'run.settled'].includes(records[n - 1]!.fact.kind)) continue;
    const now = foldDebate(records.slice(0, n), { title: 'x', driven: true });
    const news = debateNews(before, now, plain);
    if (news.length) console.log('--- ' + n + '\n' + news.join('\n'));
    before = now;
  }
  const snapshot = await bench.host.snapshot(bench.run);
  console.log(JSON.stringify(snapshot.usage), JSON.stringify(view.spending.total));
}, 120000);
