import type { ReactNode } from 'react';
import type { ResultRefusal } from '../../model/result-refusal.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { visibleText } from '../../ui/visible-text.ts';

interface Props {
  readonly refusal: ResultRefusal;
  readonly isTaken: boolean;
  readonly onTake: (isTaken: boolean) => void;
}

/** The reason stands at the end; Problems has more of it. */
const SHOWN_LINES = 8;

/** Why a result was refused, what its check printed, and the choice to take it all the same. */
export function RefusalChoice({ refusal: { code, why, printed }, isTaken, onTake }: Props): ReactNode {
  const isConflict = code === 'RESULT_IN_CONFLICT';
  return (
    <section aria-label="Refused result" className="flex flex-col gap-2">
      <p role="status" className="rounded-md bg-bad-soft px-2 py-1.5 wrap-anywhere text-bad">
        {isConflict ? 'The result has open conflicts.' : 'The result is not verified.'} {visibleText(why)}
      </p>
      {printed !== '' && (
        <ScrollBox label="What the check printed" className="max-h-48 overflow-auto rounded-md bg-sunken p-2">
          <PlainText text={printed.split('\n').slice(-SHOWN_LINES).join('\n')} />
        </ScrollBox>
      )}
      <label className="flex cursor-pointer items-start gap-2">
        <input
          type="checkbox"
          className="mt-1 accent-(--accent)"
          checked={isTaken}
          onChange={(event) => onTake(event.target.checked)}
        />
        <span>
          {isConflict ? 'Take both sides with their conflict markers' : 'Take it although it is not verified'}
          <span className="block text-sm text-muted">
            {isConflict
              ? 'As a branch or a patch. The result stays marked.'
              : 'The result stays marked as not verified, and the run records that you took it so.'}
          </span>
        </span>
      </label>
    </section>
  );
}
