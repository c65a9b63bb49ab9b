import type { ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { Empty } from '../../ui/empty.tsx';
import { ArtifactList } from './artifact-list.tsx';
import { ArtifactPreview } from './artifact-preview.tsx';
import { artifactsOf } from './tree-artifacts.ts';
import { useArtifactsNow } from './use-artifacts-now.ts';

/** What agents made: by phase, with every version, a look inside and where it comes from. */
export function ArtifactsPanel(): ReactNode {
  const [{ artifact }, select] = useSelection();
  const artifacts = useTree(artifactsOf);
  const now = useArtifactsNow(artifacts.length);
  const isOver = useTree((tree) => tree.runs.get(tree.root)?.snapshot.status === 'settled');
  if (artifacts.length === 0) return <Empty title="No artifacts" why={isOver ? OVER : WHY} action={<ToChanges />} />;
  const chosen = artifacts.findLast(({ id }) => id === artifact) ?? null;
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col @2xl:flex-row">
        <ArtifactList
          artifacts={artifacts}
          now={now}
          chosen={chosen?.id ?? null}
          onChoose={(id) => select({ artifact: id })}
        />
        {chosen !== null && (
          <ArtifactPreview
            key={chosen.id}
            artifact={chosen}
            versions={artifacts.filter(({ path }) => path === chosen.path)}
            now={now.get(chosen.id) ?? null}
          />
        )}
      </div>
    </div>
  );
}

function ToChanges(): ReactNode {
  const [, select] = useSelection();
  return (
    <button type="button" className="text-accent underline" onClick={() => select({ tab: 'changes' })}>
      Show the files that were changed
    </button>
  );
}

const WHY =
  'A file becomes an artifact when a phase or a stage that declares it as its output is done. Files that agents write besides stand under Changes.';
const OVER = `No phase of this workflow declares outputs, or none came to its end. ${WHY}`;
