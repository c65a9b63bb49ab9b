import { tmpdir } from 'node:os';
import { runProcess } from '../../lib/run-process.ts';
import { commandEnvironment } from '../../tools/command-environment.ts';

/** What a program says when it is asked for its version, in no home of anybody; null when it does not tell. */
export async function programVersion(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  more: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const env = { ...commandEnvironment(environment), HOME: tmpdir(), ...more };
  const result = await runProcess([...words], { cwd: '/', env, timeoutMs: 20_000 });
  return /\d+\.\d+\.\d+/.exec(result.output)?.[0] ?? null;
}
