import { runJob } from '../harness/job.ts';
import type { Bench, Cell, Part, PartResult } from '../harness/part.ts';

type Provider = 'anthropic' | 'openai';
type Work = 'turn' | 'review' | 'quest';

interface Reuse {
  readonly requests: number;
  readonly sent: number;
  readonly read: number;
}

interface Orders {
  readonly requests: number;
  readonly withOrder: number;
  readonly withFirstOrder: number;
  readonly within: number;
  readonly largest: number;
}

interface BuildTime {
  readonly p50: number;
  readonly p95: number;
}

const WORKS: Readonly<Record<Work, string>> = {
  turn: 'one turn of 40 calls',
  review: 'a whole parallel_review',
  quest: 'a whole quest of six steps',
};

/** Found before prompts, tool lists and windows were reworked; `npm run bench -- requests --no-peers` on commit 6e3583b with this part. */
const BEFORE: Readonly<Record<Provider, Readonly<Record<Work, Reuse>>>> = {
  anthropic: {
    turn: { requests: 40, sent: 1_231_984, read: 0 },
    review: { requests: 76, sent: 689_438, read: 0 },
    quest: { requests: 101, sent: 786_291, read: 0 },
  },
  openai: {
    turn: { requests: 40, sent: 1_244_396, read: 1_184_512 },
    review: { requests: 76, sent: 702_856, read: 642_432 },
    quest: { requests: 101, sent: 792_761, read: 670_592 },
  },
};
const ORDERS_BEFORE: Orders = {
  requests: 34_125,
  withOrder: 34_125,
  withFirstOrder: 34_125,
  within: 12_104,
  largest: 15.9,
};

const BUILD_BEFORE: BuildTime = { p50: 0.51, p95: 0.88 };

/** What leaves for the models: orders that are present, prefixes that a cache holds, tokens sent, time to build a request. */
export const requests: Part = {
  name: 'requests',
  title: 'What leaves for the models',
  async run(bench) {
    const orders = await runJob<Orders>('jobs/requests-orders.ts', { runs: bench.quick ? 50 : 2000 });
    bench.say('requests, orders');
    const build = await runJob<BuildTime>('jobs/requests-build.ts', { messages: 2000 });
    const reuse = { anthropic: await reuseOf(bench, 'anthropic'), openai: await reuseOf(bench, 'openai') };
    return { tables: tables(orders, build, reuse), goals: goals(orders, build, reuse) };
  },
};

type ReuseByWork = Readonly<Record<Work, Reuse>>;

async function reuseOf(bench: Bench, provider: Provider): Promise<ReuseByWork> {
  const of = async (work: Work): Promise<Reuse> => {
    bench.say(`requests, ${provider}, ${work}`);
    return await runJob<Reuse>('jobs/requests-reuse.ts', { work, provider });
  };
  return { turn: await of('turn'), review: await of('review'), quest: await of('quest') };
}

const PROVIDERS: readonly Provider[] = ['anthropic', 'openai'];
const KINDS: readonly Work[] = ['turn', 'review', 'quest'];

function tables(
  orders: Orders,
  build: BuildTime,
  reuse: Readonly<Record<Provider, ReuseByWork>>,
): PartResult['tables'] {
  const rows = PROVIDERS.flatMap((provider) =>
    KINDS.map((work): readonly Cell[] => {
      const [before, now] = [BEFORE[provider][work], reuse[provider][work]];
      const uncached = [before.sent - before.read, now.sent - now.read];
      const counts = [now.requests, before.sent, now.sent, now.sent / before.sent, ...uncached];
      const shares = [percent(before.read, before.sent), percent(now.read, now.sent)];
      const price = [priceOf(before), priceOf(now), priceOf(now) / priceOf(before)];
      return [`${provider}, ${WORKS[work]}`, ...counts, ...shares, ...price];
    }),
  );
  return [
    {
      title: 'Tokens sent, and how many of them a prompt cache holds',
      columns: [
        'work',
        'requests',
        'tokens before',
        'now',
        'now ÷ before',
        'not cached before',
        'now',
        'cached before',
        'now',
        'price before',
        'now',
        'now ÷ before',
      ],
      rows,
    },
    {
      title: 'Orders in the requests of 2,000 generated runs, with up to twenty windows of text',
      columns: ['', 'requests', 'with their order', 'with the first order', 'within the window', 'largest ÷ window'],
      rows: [orderRow('before', ORDERS_BEFORE), orderRow('now', orders)],
    },
    {
      title: 'Building one request from a context of 2,000 messages',
      columns: ['', 'p50 ms', 'p95 ms'],
      rows: [
        ['before', BUILD_BEFORE.p50, BUILD_BEFORE.p95],
        ['now', build.p50, build.p95],
      ],
    },
  ];
}

/** In tokens that no cache holds: a cached one costs a tenth with both vendors. */
const priceOf = ({ sent, read }: Reuse): number => Math.round(sent - read + read * 0.1);

const orderRow = (when: string, found: Orders): readonly Cell[] => [
  when,
  found.requests,
  percent(found.withOrder, found.requests),
  percent(found.withFirstOrder, found.requests),
  percent(found.within, found.requests),
  found.largest,
];

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

function goals(orders: Orders, build: BuildTime, reuse: Readonly<Record<Provider, ReuseByWork>>): PartResult['goals'] {
  const uncached = PROVIDERS.flatMap((provider) =>
    KINDS.map((work) => {
      const { sent, read } = reuse[provider][work];
      const what = `requests, ${provider}, ${WORKS[work]}: tokens that no cache holds ÷ tokens sent`;
      return { what, atMost: work === 'turn' ? 0.1 : 0.4, found: 1 - read / sent, unit: '×' };
    }),
  );
  const sent = (['review', 'quest'] as const).map((work) => ({
    what: `requests, ${WORKS[work]}: tokens sent ÷ before`,
    atMost: 0.6,
    found: reuse.anthropic[work].sent / BEFORE.anthropic[work].sent,
    unit: '×',
  }));
  const price = (['review', 'quest'] as const).map((work) => ({
    what: `requests, anthropic, ${WORKS[work]}: price ÷ before`,
    atMost: 0.6,
    found: priceOf(reuse.anthropic[work]) / priceOf(BEFORE.anthropic[work]),
    unit: '×',
  }));
  return [
    { what: 'requests without their order', atMost: 0, found: orders.requests - orders.withOrder, unit: '' },
    ...uncached,
    ...sent,
    ...price,
    { what: 'building a request from 2,000 messages, p95', atMost: 1, found: build.p95, unit: 'ms' },
  ];
}
