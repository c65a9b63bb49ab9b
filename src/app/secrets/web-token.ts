import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';

const BYTES = 32;
const SHAPE = /^[\w-]{43}$/;

/**
 * The secret that lets a browser in, kept in the engine's home, so that open pages stay valid when the server restarts.
 * Read access to the home already allows everything that the token allows.
 */
export function webToken(home: string): string {
  makeFolder(home, 0o700);
  const file = join(home, FILE);
  return readToken(file) ?? keepToken(file, randomBytes(BYTES).toString('base64url'));
}

/** Null where no server has been started yet. */
export const keptWebToken = (home: string): string | null => readToken(join(home, FILE));

const FILE = 'web-token';

/** Two servers may start at the same moment: the second uses the token that the first has written. */
export function keepToken(file: string, token: string): string {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${token}\n`, { mode: 0o600 });
  try {
    linkSync(fresh, file);
  } catch {
    // Something else lies there, or there are no links here.
    if (readToken(file) === null) renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
  return readToken(file) ?? token;
}

/** Null where there is none, or one that was cut or written by somebody else. */
function readToken(file: string): string | null {
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (!SHAPE.test(token)) return null;
    chmodSync(file, 0o600);
    return token;
  } catch {
    return null;
  }
}
