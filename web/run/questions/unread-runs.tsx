import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UnreadRun } from '../../../src/protocol/web/inbox-page.ts';
import { visibleText } from '../../ui/visible-text.ts';

/** An inbox that could not look everywhere says so: an empty one would be taken for an all-clear. */
export function UnreadRuns({ runs }: { readonly runs: readonly UnreadRun[] }): ReactNode {
  if (runs.length === 0) return null;
  const late = runs.filter(({ damage }) => damage === null);
  const damaged = runs.filter(({ damage }) => damage !== null);
  return (
    <div role="status" className="mb-2 flex flex-col gap-1 text-sm">
      {late.length > 0 && (
        <p className="text-muted">
          {late.length === 1 ? '1 run is' : `${late.length} runs are`} still being read and may ask more:{' '}
          <RunLinks runs={late} />
        </p>
      )}
      {damaged.map((one) => (
        <p key={one.run} className="text-warn">
          What <RunLinks runs={[one]} /> asks is not known: {visibleText(one.damage ?? '')}
        </p>
      ))}
    </div>
  );
}

const MOST_LINKS = 5;

function RunLinks({ runs }: { readonly runs: readonly UnreadRun[] }): ReactNode {
  return (
    <>
      {runs.slice(0, MOST_LINKS).map(({ run, title }, place) => (
        <span key={run}>
          {place > 0 && ', '}
          <Link to="/runs/$run" params={{ run }} className="text-text underline">
            {visibleText(title === '' ? run : title)}
          </Link>
        </span>
      ))}
      {runs.length > MOST_LINKS && ' …'}
    </>
  );
}
