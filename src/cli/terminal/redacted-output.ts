import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import type { TerminalOutput } from './terminal.ts';

/** Takes secrets out of everything that is written to a stream: the stream is changed in place. */
export function redactOutput(stream: TerminalOutput, secrets: KnownSecrets): void {
  const write = stream.write.bind(stream) as (...given: readonly unknown[]) => boolean;
  stream.write = ((piece: unknown, ...rest: readonly unknown[]) =>
    write(redactedPiece(piece, secrets), ...rest)) as typeof stream.write;
}

function redactedPiece(piece: unknown, secrets: KnownSecrets): unknown {
  if (typeof piece === 'string') return secrets.redact(piece);
  if (!(piece instanceof Uint8Array)) return piece;
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
  return secrets.find(text).length === 0 ? piece : Buffer.from(secrets.redact(text), 'latin1');
}
