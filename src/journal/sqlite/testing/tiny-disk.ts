import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';
import { temporaryHome } from './temporary-home.ts';

/** A file system of two megabytes over this folder, where this user may mount one. */
export interface TinyDisk {
  readonly isMounted: boolean;
  /** Returns a folder that this user cannot write to: this one where that can be done. */
  readonly readOnly: (folder: string) => string;
  readonly dispose: () => void;
}

export function tinyDisk(disk: string): TinyDisk {
  const isMounted = runs('mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk);
  let closed: string | undefined;
  return {
    isMounted,
    readOnly: (folder) => {
      if (isMounted && runs('mount', '-o', 'remount,ro', disk)) return folder;
      // No mode keeps root out.
      if (process.getuid?.() === 0) return '/proc/self';
      chmodSync(folder, 0o500);
      closed = folder;
      return folder;
    },
    dispose: () => {
      if (closed !== undefined) chmodSync(closed, 0o700);
      if (isMounted) runs('umount', disk);
    },
  };
}

/** Gives each test of a file its own home on such a disk. */
export function homesOnTinyDisks(): { readonly home: string; readonly disk: TinyDisk } {
  const place = { home: '', disk: NO_DISK };
  let dispose = (): void => undefined;
  beforeEach(() => {
    ({ home: place.home, dispose } = temporaryHome());
    place.disk = tinyDisk(place.home);
  });
  afterEach(() => {
    place.disk.dispose();
    dispose();
  });
  return place;
}

const NO_DISK: TinyDisk = { isMounted: false, readOnly: (folder) => folder, dispose: () => undefined };

const runs = (command: string, ...options: readonly string[]): boolean =>
  spawnSync(command, options, { stdio: 'ignore' }).status === 0;
