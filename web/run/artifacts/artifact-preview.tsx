import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ArtifactNow, ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';
import { address, runPath } from '../../api/client.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Select } from '../../ui/select.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { ArtifactContent } from './artifact-content.tsx';
import { ArtifactWhy } from './artifact-why.tsx';

interface Props {
  readonly artifact: ArtifactView;
  readonly versions: readonly ArtifactView[];
  readonly now: ArtifactNow | null;
}

const NOW: Readonly<Record<ArtifactNow, string>> = {
  same: 'The file is still so.',
  changed: 'The file was changed since.',
  replaced: 'A later artifact has its place.',
  gone: 'The file is not there any more.',
  unknown: 'Its files are not kept any more.',
};

/** One artifact as it was recorded, with its versions, where it comes from and a way to keep it. */
export function ArtifactPreview({ artifact, versions, now }: Props): ReactNode {
  const [, select] = useSelection();
  const root = useTree((tree) => tree.root);
  const path = runPath(root, `/artifacts/${encodeURIComponent(artifact.id)}`);
  const options = versions.toReversed().map(({ id, version, undone }) => ({
    value: id,
    label: `version ${version}${undone === true ? ' (undone)' : ''}`,
  }));
  return (
    <section aria-label={visibleText(artifact.path)} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-1.5">
        <h2 className="min-w-0 truncate font-mono text-sm font-medium">{visibleText(artifact.path)}</h2>
        <span className="ml-auto flex items-center gap-2">
          {options.length > 1 && (
            <Select
              aria-label="Version"
              options={options}
              value={artifact.id}
              onChange={(id) => select({ artifact: id })}
            />
          )}
          <a
            href={address(path, { download: 1 })}
            download
            className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 font-medium hover:bg-hover"
          >
            <Download size={13} aria-hidden /> Download
          </a>
        </span>
        <Made artifact={artifact} root={root} now={now} />
      </header>
      <ScrollBox className="min-h-0 flex-1 overflow-y-auto" label="Content">
        <div className="px-4 py-3">
          <ArtifactContent artifact={artifact} url={path} />
        </div>
        <ArtifactWhy artifact={artifact} />
      </ScrollBox>
    </section>
  );
}

function Made({
  artifact,
  root,
  now,
}: {
  readonly artifact: ArtifactView;
  readonly root: string;
  readonly now: ArtifactNow | null;
}): ReactNode {
  const [, select] = useSelection();
  return (
    <p className="flex w-full flex-wrap items-center gap-x-2 text-sm text-muted">
      <AgentName agent={artifact.producer} /> made it as “{visibleText(artifact.name)}” in{' '}
      <button
        type="button"
        className="text-accent underline"
        onClick={() =>
          select({ tab: 'events', seq: artifact.record, run: artifact.run === root ? undefined : artifact.run })
        }
      >
        {visibleText(artifact.phase)}
      </button>
      {now !== null && <span>{NOW[now]}</span>}
    </p>
  );
}
