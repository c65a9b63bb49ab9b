import { Check, CircleDashed, Download, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { ArtifactNow, ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';
import { address, problemOf, runPath, sent } from '../../api/client.ts';
import { useSelection } from '../../model/selection.ts';
import { useRuns, useTree } from '../../model/use-run.ts';
import { AgentName } from '../../ui/marks.tsx';
import { Select } from '../../ui/controls.tsx';
import { PlainText, visibleText } from '../../ui/text.tsx';
import { ScrollBox } from '../../ui/boxes.tsx';
import { useQuery } from '@tanstack/react-query';
import { space } from '../../../src/protocol/amounts.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { diffLine, previewKind, type PreviewKind, whyOf } from './tree-artifacts.ts';
import { costText } from '../../../src/core/look/amount-text.ts';
import { isWhy, type WhyView } from '../../../src/protocol/artifacts/why-view.ts';
import { parseJson } from '../../../src/core/model/json.ts';

/** JSON with its lines in order; what is none is text. */
function JsonContent({ text }: { readonly text: string }): ReactNode {
  const shaped = useMemo(() => {
    const value = parseJson(text, undefined);
    return value === undefined ? null : JSON.stringify(value, null, 2);
  }, [text]);
  return (
    <>
      {shaped === null && <p className="pb-2 text-warn">It is not JSON, despite its name.</p>}
      <PlainText text={shaped ?? text} />
    </>
  );
}

/** More than this is for an editor. */
const LARGEST = 4_000_000;

interface Read {
  readonly kind: PreviewKind;
  readonly text: string;
}

/** Its content as text, a picture or a tree; never executed. */
function ArtifactContent({ artifact, url }: { readonly artifact: ArtifactView; readonly url: string }): ReactNode {
  const isLarge = artifact.bytes > LARGEST;
  const { data, error } = useQuery({
    queryKey: ['artifact', artifact.id, artifact.run],
    queryFn: async ({ signal }): Promise<Read> => await readContent(artifact.path, url, signal),
    enabled: !isLarge,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (isLarge)
    return (
      <p className="text-muted">
        It has {space(artifact.bytes)}, which is too much to be shown here. Download it to look inside.
      </p>
    );
  if (error !== null) return <p className="text-bad">{visibleText(error.message)}</p>;
  if (data === undefined) return <p className="text-muted">Reading …</p>;
  return <Shown read={data} url={url} name={artifact.path} />;
}

async function readContent(path: string, url: string, signal: AbortSignal): Promise<Read> {
  const answer = await sent(url, { signal });
  if (!answer.ok) throw problemOf(answer.status, await answer.json().catch(() => null));
  const kind = previewKind(path, answer.headers.get('content-type') ?? '');
  return { kind, text: kind === 'image' || kind === 'binary' ? '' : await answer.text() };
}

function Shown({
  read: { kind, text },
  url,
  name,
}: {
  readonly read: Read;
  readonly url: string;
  readonly name: string;
}): ReactNode {
  switch (kind) {
    case 'image':
      return <img src={url} alt={visibleText(name)} className="max-w-full rounded-md border border-line" />;
    case 'binary':
      return <p className="text-muted">It is neither text nor an image. Download it to open it.</p>;
    case 'markdown':
      return <Markdown text={text} />;
    case 'json':
      return <JsonContent text={text} />;
    case 'diff':
      return <DiffText text={text} />;
    default:
      return text === '' ? <p className="text-muted">The file is empty.</p> : <PlainText text={text} />;
  }
}

const LINE_TONES = { added: 'text-ok', removed: 'text-bad', place: 'text-info', same: '' };

function DiffText({ text }: { readonly text: string }): ReactNode {
  const lines = text.split('\n');
  if (lines.length > 5000) return <PlainText text={text} />;
  return (
    <div>
      {lines.map((line, place) => (
        // A line has no other name than its number.
        // oxlint-disable-next-line react/no-array-index-key
        <PlainText key={place} text={line === '' ? ' ' : line} className={LINE_TONES[diffLine(line)]} />
      ))}
    </div>
  );
}

/** Where it comes from: who made it in which calls, what was checked, and what it was made from. */
function ArtifactWhy({ artifact }: { readonly artifact: ArtifactView }): ReactNode {
  // What it comes from may be read later than the artifact itself.
  const tree = useRuns();
  const [isOpen, setOpen] = useState(false);
  const why = useMemo(() => (isOpen ? whyOf(tree, artifact) : null), [tree, artifact, isOpen]);
  return (
    <details className="border-t border-line px-4 py-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-default font-medium">Where it comes from</summary>
      {why !== null && <Origin why={why} />}
    </details>
  );
}

function callsText(calls: WhyView['made']['calls']): string {
  const failed = calls.filter((call) => call.failed).length;
  const answered = calls.length - failed;
  return `${answered} model ${answered === 1 ? 'call' : 'calls'}${failed === 0 ? '' : ` +${failed} failed`}`;
}

function Origin({ why }: { readonly why: WhyView }): ReactNode {
  const [, select] = useSelection();
  const { made, evidence, from } = why;
  const cost = made.calls.reduce<number | null>(
    (sum, call) => (sum === null || call.cost_usd === null ? null : sum + call.cost_usd),
    0,
  );
  return (
    <div className="flex flex-col gap-1 pt-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-1.5">
        <AgentName agent={made.agent} />
        <span className="text-muted">
          in {visibleText(made.phase)}
          {made.tool !== null && ` with ${made.tool}`}
          {`, ${callsText(made.calls)}, ${costText(cost)}`}
        </span>
      </p>
      <Checked evidence={evidence} />
      {from.length > 0 && <p className="pt-1 text-muted">Made from</p>}
      <ul className="flex flex-col gap-1 border-l-2 border-line pl-3">
        {from.map((one) => (
          <li key={isWhy(one) ? one.artifact.id : one.id}>
            <button
              type="button"
              className="text-accent underline"
              onClick={() => select({ artifact: isWhy(one) ? one.artifact.id : one.id })}
            >
              {visibleText(isWhy(one) ? one.artifact.path : (one.path ?? one.id))}
            </button>
            {isWhy(one) ? (
              <Origin why={one} />
            ) : (
              <span className="text-muted"> {one.why === 'told' ? '(shown above)' : '(no record mentions it)'}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Checked({ evidence }: Pick<WhyView, 'evidence'>): ReactNode {
  return (
    <ul>
      {evidence.map(({ text, checked, held, why: reason }) => {
        const Icon = !checked ? CircleDashed : held === false ? X : Check;
        return (
          <li
            key={text}
            className={`flex items-start gap-1.5 ${!checked ? 'text-muted' : held === false ? 'text-bad' : ''}`}
          >
            <Icon
              size={12}
              aria-label={!checked ? 'not checked' : held === false ? 'did not hold' : 'held'}
              className="mt-1 shrink-0"
            />
            <span>
              {visibleText(text)}
              {reason !== undefined && <span className="text-muted"> ({visibleText(reason)})</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

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
  unknown: 'Its files are no longer stored.',
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
