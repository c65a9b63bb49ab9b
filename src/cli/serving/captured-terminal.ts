import { Readable, Writable } from 'node:stream';
import { environmentSecrets } from '../../app/secrets/environment-secrets.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A terminal that nobody sits at: what a command prints is kept. */
export interface CapturedTerminal extends Terminal {
  readonly printed: () => string;
}

export function capturedTerminal({ environment, folder, secrets }: CapturedPlace): CapturedTerminal {
  const stdout = new Captured();
  return {
    secrets: secrets ?? environmentSecrets(environment),
    stdin: Readable.from([]),
    stdout,
    stderr: new Captured(),
    environment,
    folder,
    printed: () => stdout.text(),
  };
}

export type CapturedPlace = Pick<Terminal, 'environment' | 'folder'> & Partial<Pick<Terminal, 'secrets'>>;

class Captured extends Writable {
  readonly #pieces: Buffer[] = [];

  constructor() {
    super({ decodeStrings: true });
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }
}
