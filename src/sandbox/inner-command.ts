import { GATE } from '../lib/process-tree.ts';

/**
 * The last step before the program itself, inside of everything else. The programs that build the box get none of the
 * program's variables under their own names, since some of those (`LD_PRELOAD`, `BASH_FUNC_…`, `PERL5OPT`) would make them
 * run foreign code outside of it. Values travel under neutral names in the environment, never in arguments, which every user
 * of the machine can read.
 */
export function innerCommand(argv: readonly string[], options: InnerOptions): InnerCommand {
  const entries = Object.entries(options.env).filter(([name]) => isExportable(name));
  const carried = entries.map(([name, value], index) => ({ name, value, carrier: `${CARRIER}${index}` }));
  const exports = carried.map(({ name, carrier }) => `export ${name}="$${carrier}"; unset ${carrier}; `).join('');
  const script = `${options.gated ? GATE : ''}${exports}exec "$@"${options.mergeErrors ? ' 2>&1' : ''}`;
  return {
    argv: ['/bin/sh', '-c', script, 'sh', ...argv],
    env: Object.fromEntries(carried.map(({ carrier, value }) => [carrier, value])),
  };
}

export interface InnerOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Waits for a word on descriptor 3 first. */
  readonly gated: boolean;
  readonly mergeErrors: boolean;
}

export interface InnerCommand {
  readonly argv: readonly string[];
  /** What the outermost program is started with. */
  readonly env: Readonly<Record<string, string>>;
}

const CARRIER = 'BOX_VALUE_';

/** Some shells refuse to set these and end. */
const READ_ONLY = new Set(['SHELLOPTS', 'BASHOPTS', 'BASH_VERSINFO', 'UID', 'EUID', 'PPID']);

const isExportable = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !READ_ONLY.has(name);
