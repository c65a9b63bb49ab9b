import { randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { errorCode } from '../../lib/held-folder.ts';
import { parseObject } from '../../core/model/json.ts';
import { unlessMissing } from '../../lib/or-else.ts';

/** Where all users of a shared folder find out whether they use the same one: a database that they share anyway. */
export interface IdentityKeeper {
  /** Keeps the id where none is kept yet. Resolves to the one that is kept. */
  claim(id: string): Promise<string>;
}

/**
 * The id of a folder, written by its first user. A folder that only looks shared, such as a mount point on which
 * nothing is mounted, has a different id than the one that was claimed.
 */
export async function checkIdentity(folder: string, keeper: IdentityKeeper | undefined): Promise<string> {
  const id = (await readIdentity(folder)) ?? (await writeIdentity(folder));
  const claimed = (await keeper?.claim(id)) ?? id;
  if (claimed === id) return id;
  throw new Fault('STORE_NOT_SHARED', `${folder} is not the folder that the other workers share.`, {
    hint: 'Mount the shared folder at this path on every worker, or name another folder under `store`.',
    facts: { folder, id, expected: claimed },
  });
}

const NAME = 'troupe-store.json';
const FORMAT = 1;

async function readIdentity(folder: string): Promise<string | null> {
  const path = join(folder, NAME);
  const text = await unlessMissing(readFile(path, 'utf8'), null);
  if (text === null) return null;
  const { format, id } = parseObject(text) ?? {};
  if (format === FORMAT && typeof id === 'string') return id;
  throw new Fault('STORE_NEWER', `${path} is not in the format that this version of Troupe reads.`, {
    hint: 'Use one version of Troupe on all workers, or name an empty folder under `store`.',
    facts: { path },
  });
}

/** By a link, so that of several who begin at once one wins and the others read its id. */
async function writeIdentity(folder: string): Promise<string> {
  const id = randomUUID();
  const draft = join(folder, `tmp_${id}`);
  await writeFile(draft, `${JSON.stringify({ format: FORMAT, id })}\n`, { flag: 'wx', flush: true });
  try {
    await link(draft, join(folder, NAME));
    return id;
  } catch (error) {
    const other = errorCode(error) === 'EEXIST' ? await readIdentity(folder) : null;
    if (other === null) throw error;
    return other;
  } finally {
    await unlink(draft);
  }
}
