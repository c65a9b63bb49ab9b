import { realpathSync } from 'node:fs';
import { Fault } from '../core/model/fault.ts';
import { orElse } from '../lib/or-else.ts';
import { containedStart, type Containment, systemProgram } from '../lib/process-tree.ts';
import { refuseThrowaway } from './bubblewrap/bubblewrap-box.ts';
import { cannotEnter, enterSpace } from './file-space.ts';
import { innerCommand, type Prepare } from './prepared-sandbox.ts';
import { openLimits, type ProcessLimit } from './limits/box-limits.ts';
import { type Box, NOTHING_DISCARDED } from './port.ts';
import { systemPaths } from './declared/system-paths.ts';

/** The two weaker levels: the process tree is held together, and Landlock or nothing confines it. */
export function prepareContained(features: ContainedFeatures): Prepare {
  return async (argv, box, options) => {
    refuseThrowaway(box.folders);
    if (enterSpace(box).isEntered) throw cannotEnter(`with the sandbox ${features.level}`);
    const { readable, writable } = declaredFolders(box);
    if ([...readable, ...writable].includes('/')) throw new Fault('SANDBOX_FOLDER', 'The folder / cannot be lent.');
    const limits = openLimits(box.limits ?? {}, features.processLimit);
    const inner = innerCommand(argv, { env: box.env, gated: false, mergeErrors: false });
    const confined = features.level === 'landlock' ? landlockPrefix({ readable, writable, network: box.network }) : [];
    const start = containedStart([...confined, ...limits.inner, ...inner.argv], {
      level: features.containment,
      env: inner.env,
      ...options,
    });
    return {
      start: { ...start, argv: [...limits.outer, ...start.argv] },
      cwd: box.cwd,
      dispose: () => limits.remove().then(() => NOTHING_DISCARDED),
    };
  };
}

export interface ContainedFeatures {
  readonly level: 'landlock' | 'none';
  readonly containment: Containment;
  readonly processLimit: ProcessLimit;
}

/** Hidden paths are not lent for reading, under any name. */
function declaredFolders({ folders, hidden }: Box): {
  readonly [access in 'readable' | 'writable']: readonly string[];
} {
  const secret = new Set(hidden.map(realPath));
  const named = (access: string) => folders.filter((each) => each.access === access).map(({ path }) => path);
  return { readable: named('read').filter((path) => !secret.has(realPath(path))), writable: named('write') };
}

function realPath(path: string): string {
  return orElse(() => realpathSync.native(path), path);
}

/**
 * Arguments that confine the following program with Landlock, which a program asks the kernel for by itself: reading,
 * running and writing only what is declared, no TCP, no signals and abstract sockets to the outside as far as the kernel
 * supports it. Perl makes the calls, since nearly every system has it and no compiled code has to be shipped.
 *
 * Landlock cannot hide that a file exists, nor keep a program from changing modes, owners and times of files that belong to
 * its user; it shows the real /etc/passwd and all of /proc; and UDP and user namespaces stay open.
 */
function landlockPrefix({ readable, writable, network }: DeclaredPaths): readonly string[] {
  const shown = [...systemPaths().map(({ real }) => real), '/proc', ...readable];
  const lists = [shown, writable].flatMap((paths) => [String(paths.length), ...paths]);
  const settings = [network ? '1' : '0', ...lists];
  const powers = process.getuid?.() === 0 ? NO_POWERS : [];
  const unprivileged = [systemProgram('setpriv'), '--no-new-privs', ...powers, '--'];
  return [...unprivileged, systemProgram('perl'), '-e', SCRIPT, '--', ...settings];
}

export interface DeclaredPaths {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly network: boolean;
}

/** Root's powers would lead around the rules; what root owns it keeps. */
const NO_POWERS = ['--bounding-set', '-all', '--inh-caps', '-all'];

export const hasLandlockPrograms = (): boolean => systemProgram('perl') !== '' && systemProgram('setpriv') !== '';

/**
 * The numbers are the kernel's: calls 444 to 446, and rights as bits. Rights a kernel does not know must not be named, so
 * they depend on the version it reports.
 */
const SCRIPT = String.raw`
  use strict;
  my $network = shift @ARGV;
  my @readable = splice(@ARGV, 0, shift @ARGV);
  my @writable = splice(@ARGV, 0, shift @ARGV);
  my $version = syscall(444, 0, 0, 1);
  $version > 0 or die "landlock: this kernel does not offer it\n";
  my $read_file = (1 << 0) | (1 << 2);
  my $read = $read_file | (1 << 3);
  my $on_file = $read_file | (1 << 1) | ($version >= 3 ? 1 << 14 : 0);
  my $all = $read | $on_file | ($version >= 2 ? 1 << 13 : 0);
  $all |= 1 << $_ for 4 .. 12;
  my @parts = ($all, $network || $version < 4 ? 0 : 3, $version >= 6 ? 3 : 0);
  my $rules = pack('Q' . ($version >= 6 ? 3 : $version >= 4 ? 2 : 1), @parts);
  my $set = syscall(444, $rules, length($rules), 0);
  $set >= 0 or die "landlock: no rules can be made: $!\n";
  my @devices = map { "/dev/$_" } qw(null zero full random urandom tty ptmx pts);
  my @rules = ((map { [$_, $read, $read_file] } @readable), (map { [$_, $all, $on_file] } @writable, @devices));
  for my $rule (@rules) {
    my ($path, $folder_rights, $file_rights) = @$rule;
    sysopen(my $handle, $path, 0x200000) or next;
    my $packed = pack('Ql', -d $path ? $folder_rights : $file_rights, fileno($handle));
    syscall(445, $set, 1, $packed, 0) == 0 or die "landlock: $path cannot be allowed: $!\n";
  }
  syscall(446, $set, 0) == 0 or die "landlock: refused: $!\n";
  exec { $ARGV[0] } @ARGV or die "landlock: $ARGV[0]: $!\n";
`;
