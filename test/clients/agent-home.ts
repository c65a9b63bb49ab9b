import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which the only agent of a run, played by this client, has its conversations. */
export function agentHome(home: string, run: string, client = 'claude-code'): string {
  const folder = join(home, 'agents', run, client);
  const [name = '', ...others] = readdirSync(folder).filter((each) => !/\.(books|turn-\w+)$/.test(each));
  if (name === '' || others.length > 0) throw new Error(`There is not one agent in ${folder}.`);
  return join(folder, name);
}
