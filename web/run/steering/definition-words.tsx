import type { ReactNode } from 'react';
import { visibleText } from '../../ui/visible-text.ts';
import { useRunView } from './use-run-view.ts';

/** A fork follows what its run followed; whoever changed the files since should know. */
export function DefinitionWords(): ReactNode {
  const definition = useRunView()?.definition;
  const isSame = definition === undefined || definition.state === 'same';
  return (
    <div className="text-sm text-muted">
      <p>It follows the same definition as this run.</p>
      {!isSame && (
        <p>
          Its files have changed since{definition.file === undefined ? '' : `: ${visibleText(definition.file)}`}. To go
          on with the new definition, pause the fork and resume it with that choice.
        </p>
      )}
    </div>
  );
}
