import { FileBox } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import type { SaidEntry, ShownToolUse } from '../../model/transcript-entry.ts';
import { toolTarget } from '../../../src/protocol/tool-words.ts';
import { useTree } from '../../model/use-run.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { artifactsOf } from '../artifacts/tree-artifacts.ts';

interface Props {
  readonly use: ShownToolUse;
  readonly entry: Pick<SaidEntry, 'run' | 'task'>;
}

/** From a tool call to the artifact that its file became. */
export function ArtifactLink({ use, entry }: Props): ReactNode {
  const [, select] = useSelection();
  const target = toolTarget(use.given);
  const id = useTree((tree) => artifactsOf(tree).find((one) => one.path === target || one.name === target)?.id ?? null);
  if (id === null || target === '' || entry.task === null) return null;
  return (
    <button
      type="button"
      title="It is an artifact: show it"
      aria-label={`Show the artifact ${visibleText(target)}`}
      onClick={() => select({ tab: 'artifacts', artifact: id })}
      className="rounded-sm p-1 text-muted hover:bg-hover hover:text-text"
    >
      <FileBox size={12} aria-hidden />
    </button>
  );
}
