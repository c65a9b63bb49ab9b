import { systemProgram } from '../../lib/process-tree.ts';
import { isAtOrBelow, PROGRAMS, SETTINGS } from '../declared/system-paths.ts';
import type { Layer } from './overlay.ts';
import type { Mount } from './visible-paths.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';

/**
 * Runs root's commands as an ordinary user of the host, who owns nothing there. Files of root stay root's: lent folders are
 * mounted a second time with their owners mapped (see `ownerMap`), at a place that this user can reach. A program started
 * with these arguments has lost root's id, groups and capabilities.
 */
export function dropRoot(parts: BoxParts, map: string): DroppedRoot {
  const reads = parts.mounts.filter(({ kind, source }) => kind === 'read' && !isOfSystem(source));
  const writes = parts.mounts.filter(({ kind }) => kind === 'write');
  const written = [...writes.map(({ source }) => source), ...parts.layers.map(({ place }) => place)];
  const read = [...reads.map(({ source }) => source), ...parts.layers.map(({ folder }) => folder)];
  const paths = [...new Set([...written, ...read])];
  const places = new Map(paths.map((path, index) => [path, `${STAGE}/${index}`]));
  const staged = (path: string): string => places.get(path) ?? path;
  const merged = new Map(parts.layers.map(({ place }) => [`${place}/merged`, `${staged(place)}/merged`]));
  const args = paths.flatMap((path) => [written.includes(path) ? 'write' : 'read', path]);
  const unshare = [systemProgram('unshare'), '--mount', '--propagation', 'private', '--'];
  const settings = [map, String(HOST_ID), STAGE, String(paths.length)];
  return {
    args: [...unshare, systemProgram('perl'), '-e', SCRIPT, '--', ...settings, ...args],
    mounts: parts.mounts.map((mount) => ({ ...mount, source: merged.get(mount.source) ?? staged(mount.source) })),
    layers: parts.layers.map(({ folder, place }) => ({ folder: staged(folder), place: staged(place) })),
  };
}

export interface BoxParts {
  readonly mounts: readonly Mount[];
  readonly layers: readonly Layer[];
}

export interface DroppedRoot extends BoxParts {
  /** They go before everything that builds the box. */
  readonly args: readonly string[];
}

/** Shown with their owners: with root's mapped, a command could read the files that only root may read. */
const isOfSystem = (path: string): boolean => [...PROGRAMS, SETTINGS].some((folder) => isAtOrBelow(path, folder));

const STAGE = '/tmp';

/**
 * The numbers are the kernel's, the same on all processors: `open_tree`, `move_mount`, `fsopen`, `fsconfig`, `fsmount`,
 * `mount_setattr`. A file system that cannot map owners is shown to be read as it is, and is not lent to be written.
 */
const SCRIPT = String.raw`
  use strict;
  my ($map, $id, $stage, $count) = splice(@ARGV, 0, 4);
  my @lent = splice(@ARGV, 0, 2 * $count);
  my $none = '';
  open(my $owners, '<', $map) or die "sandbox: the map of owners is gone: $!\n";
  my $mapped = pack('QQQQ', 0x100000, 0, 0, fileno($owners));
  my @trees;
  while (my ($access, $path) = splice(@lent, 0, 2)) {
    my $name = "$path";
    my $tree = syscall(428, -100, $name, 0x88001);
    $tree >= 0 or die "sandbox: $path cannot be lent: $!\n";
    my $done = grep { syscall(442, $tree, $none, 0x1000 | $_, $mapped, 32) == 0 } 0x8000;
    $done ||= grep { syscall(442, $tree, $none, 0x1000 | $_, $mapped, 32) == 0 } 0;
    $done or $access eq 'read' or die "sandbox: the file system of $path cannot map owners: $!\n";
    push @trees, [$tree, -d $path];
  }
  my ($kind, $key, $value) = ('tmpfs', 'mode', '0755');
  my $fs = syscall(430, $kind, 1);
  syscall(431, $fs, 1, $key, $value, 0) == 0 && syscall(431, $fs, 6, 0, 0, 0) == 0 or die "sandbox: no stage: $!\n";
  my $top = syscall(432, $fs, 1, 6);
  syscall(429, $top, $none, -100, $stage, 4) == 0 or die "sandbox: no stage: $!\n";
  umask 022;
  for my $index (0 .. $#trees) {
    my ($tree, $is_folder) = @{$trees[$index]};
    my $place = "$stage/$index";
    if ($is_folder) { mkdir $place } else { open(my $file, '>', $place) }
    syscall(429, $tree, $none, -100, $place, 4) == 0 or die "sandbox: $place: $!\n";
  }
  $) = "$id $id";
  $( = $id;
  $< = $> = $id;
  $< == $id && $> == $id && $( eq "$id $id" && $) eq "$id $id" or die "sandbox: root's id stays: $!\n";
  exec { $ARGV[0] } @ARGV or die "sandbox: $ARGV[0]: $!\n";
`;

/**
 * The host id that root's commands run with: no user, no service and no container has it. Systemd leaves the numbers from
 * 1879048192 to 2147483647 unused.
 */
export const HOST_ID = 1_879_050_000;

/**
 * A user namespace that says how owners of files are shown through a mapped mount: root's belong to `HOST_ID`, all others to
 * whom they belong. This process holds it open, so no other process is needed. Null where the kernel refuses.
 */
export function ownerMap(): Promise<string | null> {
  opened ??= openMap().catch(() => null);
  return opened;
}

let opened: Promise<string | null> | null = null;

const LAST_ID = 4_294_967_294;

async function openMap(): Promise<string | null> {
  const unshare = systemProgram('unshare');
  if (process.getuid?.() !== 0 || unshare === '' || systemProgram('perl') === '') return null;
  const child = spawn(unshare, ['--user', '--', '/bin/sh', '-c', 'echo up; read -r end'], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  try {
    const isUp = await Promise.race([
      once(child.stdout, 'data').then(() => true),
      once(child, 'close').then(() => false),
    ]);
    if (!isUp) return null;
    const lines = [`0 ${HOST_ID} 1`, `1 1 ${HOST_ID - 1}`, `${HOST_ID + 1} ${HOST_ID + 1} ${LAST_ID - HOST_ID}`];
    for (const file of ['uid_map', 'gid_map']) writeFileSync(`/proc/${child.pid}/${file}`, lines.join('\n'));
    return `/proc/${process.pid}/fd/${openSync(`/proc/${child.pid}/ns/user`, 'r')}`;
  } finally {
    child.stdin.destroy();
  }
}
