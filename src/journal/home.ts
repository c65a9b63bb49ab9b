import { realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

import { makeFolder } from '../lib/make-folder.ts';
import { homeFault } from './home-fault.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of Troupe's state: created on first use, readable for this user only, returned without symbolic links. */
export function troupeHome(environment: Environment, platformHome: string): string {
  const home = chosenHome(environment, platformHome);
  try {
    makeFolder(home, 0o700);
    return realpathSync(home);
  } catch (error) {
    throw homeFault(home, error);
  }
}

function chosenHome(environment: Environment, platformHome: string): string {
  const own = environment['TROUPE_HOME'] ?? '';
  if (own !== '') return resolve(own);
  const state = environment['XDG_STATE_HOME'] ?? '';
  // The XDG specification ignores relative paths.
  return isAbsolute(state) ? join(state, 'troupe') : join(platformHome, '.local', 'state', 'troupe');
}
