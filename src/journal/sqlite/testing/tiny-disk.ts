import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';

/** A file system of two megabytes over this folder, where this user may mount one. */
export interface TinyDisk {
  readonly isMounted: boolean;
  /** The whole disk where there is one, else this folder. */
  readonly makeReadOnly: (folder: string) => void;
  readonly dispose: () => void;
}

export function tinyDisk(folder: string): TinyDisk {
  const isMounted = runs('mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder);
  return {
    isMounted,
    makeReadOnly: (inner) => {
      if (!isMounted || !runs('mount', '-o', 'remount,ro', folder)) chmodSync(inner, 0o500);
    },
    dispose: () => {
      if (isMounted) runs('umount', folder);
    },
  };
}

const runs = (command: string, ...options: readonly string[]): boolean =>
  spawnSync(command, options, { stdio: 'ignore' }).status === 0;
