import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemProgram } from '../../../src/lib/process-tree.ts';

/**
 * A process that exchanges entries of a folder for links to the outside and back, as fast as it can: with one system call
 * where the machine has it, so that there never is a moment without an entry. Each pair is `name` and `name.link`.
 */
export async function startSwapping(folder: string, pairs: Pairs, options: SwapOptions = {}): Promise<Swapping> {
  const there = new Set(readdirSync(folder));
  for (const [name, target] of Object.entries(pairs)) {
    if (!there.has(`${name}.link`)) symlinkSync(target, join(folder, `${name}.link`));
  }
  const settings = [RENAMEAT2[process.arch] ?? 0, (options.restMs ?? 0) / 1000].map(String);
  const words = ['-e', SOURCE, ...settings, folder, ...Object.entries(pairs).flat()];
  const child = spawn(systemProgram('perl'), words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  let swaps = 0;
  child.stdout.on('data', (chunk: Buffer) => (swaps = Number(chunk.toString().trim().split('\n').at(-1))));
  await once(child.stdout, 'data');
  return {
    swaps: () => swaps,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      return swaps;
    },
  };
}

/** Where the link of each entry leads. */
export type Pairs = Readonly<Record<string, string>>;

export interface SwapOptions {
  /** Rests up to so long between bursts, so that work of many steps is finished now and then; never when left out. */
  readonly restMs?: number;
}

export interface Swapping {
  readonly swaps: () => number;
  /** How often entries were exchanged in all. */
  readonly stop: () => Promise<number>;
}

/** Why there can be no race here. */
export const noSwapping = (): string | null => (systemProgram('perl') === '' ? 'perl is missing' : null);

const RENAMEAT2: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 316, arm64: 276, ia32: 353 };

/** A link that somebody replaced meanwhile is made again: without it there would be no race any more. */
const SOURCE = `
  my ($call, $rest, $folder, %pairs) = @ARGV;
  chdir $folder or die;
  my ($swaps, $rounds) = (0, 0);
  sub exchange {
    my ($one, $other) = @_;
    if ($call > 0) { return syscall($call + 0, -100, $one, -100, $other, 2) == 0 }
    return rename($one, "$one.aside") && rename($other, $one) && rename("$one.aside", $other);
  }
  for (;;) {
    for my $name (keys %pairs) {
      my $link = "$name.link";
      $swaps += 1 if exchange($name, $link);
      symlink($pairs{$name}, $link) if !-l $name && !-l $link && (!-e $link || unlink $link);
    }
    syswrite(STDOUT, "$swaps\\n") if $rounds++ % 50 == 0;
    select(undef, undef, undef, rand $rest) if $rest > 0 && rand() < 0.2;
  }`;
