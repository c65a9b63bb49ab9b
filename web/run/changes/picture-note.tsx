import { type ReactNode, useState } from 'react';
import { space } from '../../../src/protocol/amounts.ts';
import { visibleText } from '../../ui/text.tsx';
import type { DiffFile } from './diff-files.ts';
import { type ComparedTrees, fileAddress } from './whole-files.ts';

interface Props {
  readonly file: DiffFile;
  readonly trees: ComparedTrees;
}

/** A picture as it was and as it is, beside each other. */
export function PictureNote({ file, trees }: Props): ReactNode {
  const { path, change, bytes } = file;
  return (
    <div className="flex flex-wrap gap-4 px-3 py-2 font-sans text-base">
      {change !== 'added' && (
        <Version
          {...{ path, word: 'before', bytes: bytes?.[0] ?? null }}
          url={fileAddress(trees, trees.before, path)}
        />
      )}
      {change !== 'deleted' && (
        <Version {...{ path, word: 'now', bytes: bytes?.[1] ?? null }} url={fileAddress(trees, trees.after, path)} />
      )}
    </div>
  );
}

interface VersionProps {
  readonly path: string;
  readonly word: string;
  readonly bytes: number | null;
  readonly url: string;
}

function Version({ path, word, bytes, url }: VersionProps): ReactNode {
  const [isBroken, setBroken] = useState(false);
  return (
    <figure className="min-w-0">
      {isBroken ? (
        <p className="text-muted">The browser cannot show it.</p>
      ) : (
        <img
          src={url}
          alt={`${visibleText(path)} ${word}`}
          onError={() => setBroken(true)}
          className="max-h-80 max-w-full rounded-md border border-line bg-raised"
        />
      )}
      <figcaption className="mt-1 text-sm text-muted">
        {word}
        {bytes !== null && ` · ${space(bytes)}`}
      </figcaption>
    </figure>
  );
}
