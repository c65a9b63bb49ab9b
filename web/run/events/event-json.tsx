import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { RecordLine } from '../../../src/protocol/web/record-page.ts';
import { api, runPath } from '../../api/client.ts';
import { useSelection } from '../../model/selection.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatCount } from '../../ui/format.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import { isConversation } from '../transcript/conversation-kinds.ts';

/** A record as JSON. What was too long to be sent is fetched when it is wanted. */
export function EventJson({ line }: { readonly line: RecordLine }): ReactNode {
  const { run, record, cut = [] } = line;
  const [isWhole, setWhole] = useState(false);
  const [, select] = useSelection();
  const { data, error } = useQuery({
    queryKey: ['record', run, record.seq],
    queryFn: ({ signal }) => api.get<RecordLine>(runPath(run, `/records/${record.seq}`), {}, { signal }),
    enabled: isWhole,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  const shown = (isWhole ? data?.record : undefined) ?? record;
  const text = JSON.stringify(shown, null, 2);
  const left = cut.reduce((sum, { length }) => sum + length, 0);
  return (
    <div className="flex items-start gap-1 bg-sunken py-1 pr-2 pl-9">
      <div className="min-w-0 flex-1">
        <PlainText text={text} />
        {cut.length > 0 && shown === record && (
          <button type="button" className="text-sm text-accent underline" onClick={() => setWhole(true)}>
            {isWhole && error === null
              ? 'Reading …'
              : `${cut.length} ${cut.length === 1 ? 'text is' : 'texts are'} cut: show all (${formatCount(left)} characters)`}
          </button>
        )}
        {error !== null && <p className="text-sm text-bad">{error.message}</p>}
        {isConversation(record.fact.kind) && (
          <button
            type="button"
            className="block text-sm text-accent underline"
            onClick={() =>
              select({ tab: 'transcript', context: '*', seq: record.seq, task: undefined, state: undefined })
            }
          >
            Show it in the conversation
          </button>
        )}
      </div>
      <CopyButton label="Copy the record" text={() => text} />
    </div>
  );
}
