import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { errorCode } from '../../lib/held-folder.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { type KeptToken, keptTokenSchema, type TokenStore } from './token-store.ts';
import { unlessMissing } from '../../lib/or-else.ts';

const ENDING = '.json';

/** One file a token, for the user alone: two commands at the same moment never overwrite each other's work. */
export function tokenFiles(home: string): TokenStore {
  const folder = join(home, 'tokens');
  const fileOf = (name: string): string => join(folder, `${name}${ENDING}`);
  return {
    list: async (onDamaged) => {
      const names = (await unlessMissing(readdir(folder), [])).filter((name) => name.endsWith(ENDING)).toSorted();
      const tokens = await Promise.all(names.map((name) => readKept(join(folder, name), onDamaged)));
      return tokens.filter((token) => token !== null);
    },
    add: async (token) => {
      makeFolder(folder, 0o700);
      const fresh = join(folder, `${token.name}.${randomUUID()}`);
      await writeFile(fresh, `${JSON.stringify(token)}\n`, { mode: 0o600, flush: true });
      try {
        await link(fresh, fileOf(token.name));
      } catch (error) {
        throw errorCode(error) === 'EEXIST' ? nameTaken(token.name) : error;
      } finally {
        await rm(fresh, { force: true });
      }
    },
    remove: (name) =>
      unlessMissing(
        rm(fileOf(name)).then(() => true),
        false,
      ),
  };
}

/** Null where it was revoked in this moment, and where it is damaged. */
async function readKept(
  file: string,
  onDamaged = (fault: Fault): void => {
    throw fault;
  },
): Promise<KeptToken | null> {
  try {
    return keptTokenSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    const hint = 'Remove the file, and make the token again with: troupe token new';
    onDamaged(new Fault('TOKEN_DAMAGED', `${file} is not a token of Troupe.`, { hint, cause: error }));
    return null;
  }
}

const nameTaken = (name: string): Fault =>
  new Fault('TOKEN_EXISTS', `There is a token called ${name} already.`, {
    hint: `Choose another name, or revoke it first: troupe token revoke ${name}`,
  });
