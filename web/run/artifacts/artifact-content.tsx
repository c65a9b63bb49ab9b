import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';
import { problemOf } from '../../api/api-problem.ts';
import { sent } from '../../api/client.ts';
import { space } from '../../../src/protocol/amounts.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { JsonContent } from './json-content.tsx';
import { diffLine, previewKind, type PreviewKind } from './preview-kind.ts';

/** More than this is for an editor. */
const LARGEST = 4_000_000;

interface Read {
  readonly kind: PreviewKind;
  readonly text: string;
}

/** What is in it: shown as text, a picture or a tree, and never run. */
export function ArtifactContent({
  artifact,
  url,
}: {
  readonly artifact: ArtifactView;
  readonly url: string;
}): ReactNode {
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
      return <p className="text-muted">It is no text and no picture. Download it to look inside.</p>;
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
