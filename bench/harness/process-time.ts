import { spawnSync } from 'node:child_process';

export interface ProcessTime {
  readonly wallMs: number;
  /** User and system together, of the process and all it waited for. */
  readonly cpuMs: number;
}

export interface Command {
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A whole process, from nothing to its end, as bash's own `time` sees it. */
export function processTime(command: Command): ProcessTime {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', SCRIPT, 'bash', ...command.words], {
    cwd: command.folder,
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', ...command.environment },
    encoding: 'utf8',
  });
  const [wall, user, system] = (/([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? []).slice(1).map(Number);
  if (status !== 0 || wall === undefined || user === undefined || system === undefined) {
    throw new Error(`${command.words.join(' ')} ended with ${status}: ${stderr.slice(-1000)}${stdout.slice(-1000)}`);
  }
  return { wallMs: wall * 1000, cpuMs: (user + system) * 1000 };
}

const SCRIPT = `TIMEFORMAT='%3R %3U %3S'; time "$@"`;
