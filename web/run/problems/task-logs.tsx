import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Shown } from '../../../src/protocol/operations/views.ts';
import { api, runPath } from '../../api/client.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';

interface Props {
  readonly run: string;
  readonly task: string;
  readonly isOpen?: boolean;
}

/** What the process of a client printed in a turn, word for word: its stderr and how it ended are at the end of it. */
export function TaskLogs({ run, task, isOpen: isOpenAtFirst = false }: Props): ReactNode {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { data, error, isFetching } = useQuery({
    queryKey: ['logs', run, task],
    queryFn: ({ signal }) => api.get<Shown<'rawLogs'>>(runPath(run, '/logs'), { task }, { signal }),
    enabled: isOpen,
    retry: false,
  });
  const text = (data?.items ?? []).map(({ line }) => line).join('\n');
  return (
    <details className="pl-5 text-sm" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-default text-muted">What its process printed ({task})</summary>
      {isFetching && data === undefined && <p className="text-muted">Reading …</p>}
      {error !== null && <p className="text-muted">{error.message}</p>}
      {data !== undefined && (
        <ScrollBox className="max-h-80 overflow-auto rounded-md bg-sunken p-2" label="What its process printed">
          {text === '' ? <span className="text-muted">Nothing of it is kept.</span> : <PlainText text={text} />}
        </ScrollBox>
      )}
    </details>
  );
}
