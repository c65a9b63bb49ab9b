import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WorkerLine } from '../../src/protocol/operations/answers/worker.ts';
import { workersQuery } from '../api/queries.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Empty } from '../ui/boxes.tsx';
import { Time } from '../ui/figures.tsx';
import { Badge, type Tone } from '../ui/marks.tsx';
import { visibleText } from '../ui/text.tsx';
import { counted } from '../../src/protocol/amounts.ts';

/** The workers of a shared journal, and their present work. */
export function WorkersPage(): ReactNode {
  usePageTitle('Workers');
  const { data, error } = useQuery(workersQuery);
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-4">
      <h1 className="mb-2 text-xl font-semibold">Workers</h1>
      {error !== null && <Empty title="The workers could not be read" why={error.message} />}
      {data?.length === 0 && (
        <Empty
          title="No workers"
          why='Queued runs wait until one is there: "troupe worker" on any machine that reaches the journal starts one.'
        />
      )}
      <ul className="divide-y divide-line border-t border-line">
        {data?.map((worker) => (
          <li key={worker.id} className="py-2.5">
            <Worker worker={worker} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Worker({ worker }: { readonly worker: WorkerLine }): ReactNode {
  const { name, version, startedAt, beatAt, slots, offers, runs } = worker;
  const { word, tone } = standingOf(worker);
  return (
    <article aria-label={visibleText(name)}>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{visibleText(name)}</span>
        <Badge tone={tone}>{word}</Badge>
        <span className="num text-muted">
          {counted(runs.length, 'run')}, {counted(slots, 'slot')}
        </span>
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-muted">
        <span>
          started <Time at={startedAt} />
        </span>
        <span>
          last heard <Time at={beatAt} />
        </span>
        <span>version {visibleText(version)}</span>
      </p>
      {offers.length > 0 && (
        <p className="mt-1 flex flex-wrap gap-1">
          {offers.map((offer) => (
            <Badge key={offer}>{visibleText(offer)}</Badge>
          ))}
        </p>
      )}
      {runs.length > 0 && <Runs runs={runs} />}
    </article>
  );
}

function Runs({ runs }: Pick<WorkerLine, 'runs'>): ReactNode {
  return (
    <ul className="mt-1 text-sm">
      {runs.map(({ run, title }) => (
        <li key={run} className="truncate">
          <Link to="/runs/$run" params={{ run: run.split('/', 1)[0] ?? run }} className="hover:underline">
            {visibleText(title === '' ? run : title)}
          </Link>
          {title !== '' && <span className="ml-1 font-mono text-xs text-muted">{visibleText(run)}</span>}
        </li>
      ))}
    </ul>
  );
}

function standingOf({ isAlive, isDraining }: WorkerLine): { readonly word: string; readonly tone: Tone } {
  if (!isAlive) return { word: 'gone', tone: 'bad' };
  return isDraining ? { word: 'draining', tone: 'warn' } : { word: 'alive', tone: 'ok' };
}
