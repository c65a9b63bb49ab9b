import { isUtf8 } from 'node:buffer';
import { Fault } from '../../../core/fault.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import type { ArtifactView } from '../../../protocol/artifacts/artifact-view.ts';
import { space } from '../../../protocol/amounts.ts';
import { plainText } from '../../../protocol/plain-text.ts';

const MOST_BYTES = 16 * 1024 * 1024;

/** All of it at once, where that is no matter. ARTIFACT_LARGE. */
export async function wholeContent(
  content: AsyncIterable<Buffer>,
  { path, bytes }: Pick<ArtifactView, 'path' | 'bytes'>,
): Promise<Buffer> {
  if (bytes > MOST_BYTES) {
    throw new Fault('ARTIFACT_LARGE', `${shownPath(path)} has ${space(bytes)}, which is too much to show.`, {
      hint: 'Write it into a file: troupe artifacts RUN ID > FILE',
      facts: { path, bytes },
    });
  }
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0);

/** For JSON: as text where it is text. */
export const wireContent = (bytes: Buffer): { readonly content: string } | { readonly content_base64: string } =>
  isText(bytes) ? { content: bytes.toString('utf8') } : { content_base64: bytes.toString('base64') };

/** For a terminal, which gets no bytes that would steer it. */
export function shownContent(bytes: Buffer, { path }: Pick<ArtifactView, 'path'>): string {
  if (!isText(bytes)) {
    return `${shownPath(path)} is binary, ${space(bytes.length)}. Write it into a file: troupe artifacts RUN ID > FILE\n`;
  }
  const text = plainText(bytes.toString('utf8'));
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
