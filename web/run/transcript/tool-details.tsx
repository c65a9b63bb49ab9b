import type { ReactNode } from 'react';
import type { SaidEntry, ShownToolUse } from '../../model/transcript-entry.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { ToolGiven } from './tool-given.tsx';
import { Words } from './words.tsx';

interface Props {
  readonly use: ShownToolUse;
  readonly entry: Pick<SaidEntry, 'run' | 'seq'>;
  readonly isRaw: boolean;
}

export function ToolDetails({ use, entry, isRaw }: Props): ReactNode {
  const { result, objection } = use;
  return (
    <div className="my-1 ml-1.5 flex flex-col gap-2 border-l-2 border-line py-1 pl-3 text-sm">
      {isRaw ? (
        <div className="flex items-start gap-1">
          <PlainText text={JSON.stringify(use, null, 2)} className="flex-1 rounded-md bg-sunken p-2" />
          <CopyButton label="Copy the JSON" text={() => JSON.stringify(use, null, 2)} />
        </div>
      ) : (
        <>
          <ToolGiven use={use} entry={entry} />
          {objection !== null && <p className="text-bad">{visibleText(objection)}</p>}
          {result === null ? (
            <p className="text-muted">There is no result yet.</p>
          ) : (
            <ScrollBox
              className="max-h-96 overflow-auto rounded-md bg-sunken p-2"
              label={`Result of ${visibleText(use.name)}`}
            >
              {result.content === '' ? (
                <span className="text-muted">It returned nothing.</span>
              ) : (
                <Words run={entry.run} seq={result.seq} text={result.content} isPlain />
              )}
            </ScrollBox>
          )}
          {result !== null && result.tries > 1 && <p className="text-muted">Tried {result.tries} times.</p>}
        </>
      )}
    </div>
  );
}
