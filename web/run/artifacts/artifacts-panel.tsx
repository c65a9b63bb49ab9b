import type { ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { Empty } from '../../ui/boxes.tsx';
import { ArtifactPreview } from './artifact-preview.tsx';
import { artifactsOf, newestByPath } from './tree-artifacts.ts';
import { ChartNoAxesColumn, FileCode, FileText, ListTodo } from 'lucide-react';
import type { ArtifactType } from '../../../src/core/record/artifact-fact.ts';
import type { ArtifactNow, ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';
import { AgentName, Badge } from '../../ui/marks.tsx';
import { space } from '../../../src/protocol/amounts.ts';
import { visibleText } from '../../ui/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { api, runPath } from '../../api/client.ts';

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
function ArtifactList({ artifacts, now, chosen, onChoose }: Props): ReactNode {
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

interface Listed {
  readonly items: readonly ArtifactView[];
}

/** How the file of each is now, which only the server can see; by id. */
function useArtifactsNow(count: number): ReadonlyMap<string, ArtifactNow> {
  const root = useTree((tree) => tree.root);
  const { data } = useQuery({
    queryKey: ['artifacts', root, count],
    queryFn: ({ signal }) => api.get<Listed>(runPath(root, '/artifacts'), {}, { signal }),
    enabled: count > 0,
    placeholderData: (before) => before,
    retry: false,
  });
  return new Map((data?.items ?? []).flatMap(({ id, now }) => (now === undefined ? [] : [[id, now] as const])));
}

/** The artifacts of a run: by phase, with every version, its content and its origin. */
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
  'A file becomes an artifact when a phase or a stage that declares it as its output is done. Other files that agents write are listed under Changes.';
const OVER = `No phase of this workflow declares outputs, or none has finished. ${WHY}`;
