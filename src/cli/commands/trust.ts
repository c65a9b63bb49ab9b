import { resolve } from 'node:path';
import type { Invocation } from '../command-spec.ts';
import { projectRoot } from '../config/project.ts';
import { EXIT } from '../exit-code.ts';
import { flag, word } from '../invocation.ts';
import { storeHome } from '../session/store.ts';
import { plainText } from '../terminal/plain-text.ts';

/** `troupe trust`: the project's own code may run, exactly as it is now. Any change asks again. */
export async function trustCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const folder = word(invocation, 0);
  const project = folder === undefined ? projectRoot(terminal.folder) : resolve(terminal.folder, folder);
  const { trustProject, untrustProject } = await import('../../workspace/trust.ts');
  const change = flag(invocation, 'revoke') ? untrustProject : trustProject;
  const trust = await change({ home: storeHome(terminal), project });
  if (flag(invocation, 'json')) {
    terminal.stdout.write(`${JSON.stringify({ project, ...trust })}\n`);
    return EXIT.ok;
  }
  terminal.stdout.write(`${trust.state}: ${project}\n`);
  for (const file of trust.files) terminal.stdout.write(`  ${plainText(file)}\n`);
  if (trust.files.length === 0) terminal.stdout.write('  (there is no code of its own yet; adding some asks again)\n');
  return EXIT.ok;
}
