import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WorkflowPage } from '../../src/protocol/web/workflow-page.ts';
import { overlays } from '../shell/overlays.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { visibleText } from '../ui/visible-text.ts';

export function WorkflowHeader({ page }: { readonly page: WorkflowPage }): ReactNode {
  const { name, description, origin, file, problems } = page;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2">
      <div className="min-w-0 flex-1 basis-72">
        <h1 className="flex items-center gap-2 text-lg font-semibold">
          {visibleText(name)}
          <Badge tone={origin === 'project' ? 'accent' : 'neutral'}>{origin}</Badge>
          <Soundness errors={errors} warnings={problems.length - errors} />
        </h1>
        <p className="text-muted">{visibleText(description)}</p>
        {file !== null && <p className="truncate font-mono text-xs text-muted">{visibleText(file)}</p>}
      </div>
      <Button
        kind="primary"
        disabledReason={errors > 0 ? 'It has errors: mend them first' : null}
        onClick={() => overlays.start(name)}
      >
        Start a run
      </Button>
    </div>
  );
}

function Soundness({ errors, warnings }: { readonly errors: number; readonly warnings: number }): ReactNode {
  if (errors + warnings === 0)
    return (
      <Badge tone="ok">
        <CircleCheck size={12} aria-hidden /> no problems
      </Badge>
    );
  const words = [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : ''].filter(
    Boolean,
  );
  return (
    <Badge tone={errors > 0 ? 'bad' : 'warn'}>
      <CircleAlert size={12} aria-hidden /> {words.join(', ')}
    </Badge>
  );
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
