import type { ReactNode } from 'react';
import { visibleText } from '../../ui/visible-text.ts';
import type { SteeringState } from './use-steering.ts';

export function RefusedNote({ state }: { readonly state: SteeringState }): ReactNode {
  if (state.kind !== 'refused') return null;
  return (
    <p role="alert" className="rounded-md bg-bad-soft px-2 py-1.5 wrap-anywhere text-bad">
      {visibleText(state.message)} {state.hint !== '' && <span className="block">{visibleText(state.hint)}</span>}
    </p>
  );
}
