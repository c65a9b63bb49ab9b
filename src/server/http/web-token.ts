import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';

const BYTES = 32;
const SHAPE = /^[\w-]{43}$/;

/**
 * The secret that lets a browser in, kept in the engine's home: a page that is open stays in when the server is started anew.
 * Whoever can read the home can do all of this anyway.
 */
export function webToken(home: string): string {
  makeFolder(home, 0o700);
  const file = join(home, 'web-token');
  const known = readToken(file);
  if (known !== null) return known;
  const token = randomBytes(BYTES).toString('base64url');
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${token}\n`, { mode: 0o600 });
  renameSync(fresh, file);
  // Two servers may begin in the same moment: both take what is there in the end.
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
