import { ChartNoAxesColumn, FileCode, FileText, ListTodo } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ArtifactType } from '../../../src/core/artifact-fact.ts';
import type { ArtifactNow, ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Badge } from '../../ui/badge.tsx';
import { space } from '../../../src/protocol/amounts.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { newestByPath } from './newest-by-path.ts';

interface Props {
  readonly artifacts: readonly ArtifactView[];
  readonly now: ReadonlyMap<string, ArtifactNow>;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

const ICONS: Readonly<Record<ArtifactType, typeof FileText>> = {
  plan: ListTodo,
  code: FileCode,
  report: FileText,
  data: ChartNoAxesColumn,
};

/** The newest version of each, by the phase that made it. */
export function ArtifactList({ artifacts, now, chosen, onChoose }: Props): ReactNode {
  const phases = Map.groupBy(newestByPath(artifacts), ({ phase }) => phase);
  return (
    <nav
      aria-label="Artifacts"
      className="relative min-h-32 overflow-y-auto @2xl:w-72 @2xl:shrink-0 @2xl:border-r @2xl:border-line @max-2xl:max-h-[40%] @max-2xl:border-b @max-2xl:border-line"
    >
      {[...phases].map(([phase, own]) => (
        <section key={phase} aria-label={visibleText(phase)}>
          <h2 className="px-4 pt-2.5 pb-0.5 text-xs font-medium text-muted">{visibleText(phase)}</h2>
          <ul>
            {own.map((artifact) => (
              <li key={artifact.id}>
                <Item
                  artifact={artifact}
                  now={now.get(artifact.id) ?? null}
                  isChosen={isSameFile(artifacts, artifact, chosen)}
                  onChoose={() => onChoose(artifact.id)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

const isSameFile = (artifacts: readonly ArtifactView[], { path }: ArtifactView, chosen: string | null): boolean =>
  chosen !== null && artifacts.some((one) => one.id === chosen && one.path === path);

interface ItemProps {
  readonly artifact: ArtifactView;
  readonly now: ArtifactNow | null;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Item({
  artifact: { type, path, producer, bytes, version, undone },
  now,
  isChosen,
  onChoose,
}: ItemProps): ReactNode {
  const Icon = ICONS[type];
  return (
    <button
      type="button"
      aria-current={isChosen || undefined}
      onClick={onChoose}
      className="flex w-full min-w-0 flex-col px-4 py-1 text-left hover:bg-hover aria-[current]:bg-accent-soft"
    >
      <span className="flex w-full min-w-0 items-center gap-1.5">
        <Icon size={13} aria-label={type} className="shrink-0 text-muted" />
        <span className="truncate font-mono text-sm" title={visibleText(path)}>
          {visibleText(path)}
        </span>
        <span className="num ml-auto shrink-0 text-xs text-muted">{space(bytes)}</span>
      </span>
      <span className="flex items-center gap-1.5 pl-5 text-xs">
        <AgentName agent={producer} />
        {version > 1 && <span className="num text-muted">version {version}</span>}
        {undone === true && <Badge tone="warn">undone</Badge>}
        {now !== null && now !== 'same' && <Badge tone={now === 'gone' ? 'bad' : 'neutral'}>{now}</Badge>}
      </span>
    </button>
  );
}
