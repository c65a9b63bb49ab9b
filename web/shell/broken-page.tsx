import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { visibleText } from '../ui/visible-text.ts';

/** A part of the page failed: nothing was lost, since nothing is kept here. */
export function BrokenPage({ error, reset }: ErrorComponentProps): ReactNode {
  return (
    <Empty
      title="This page has a fault"
      why={
        <>
          <p>Your runs are not touched by it. What went wrong:</p>
          <pre className="mt-2 max-h-40 overflow-auto rounded-md bg-sunken p-2 text-left text-sm whitespace-pre-wrap">
            {visibleText(error instanceof Error ? error.message : String(error))}
          </pre>
        </>
      }
      action={
        <Button kind="primary" onClick={reset}>
          Try again
        </Button>
      }
    />
  );
}
