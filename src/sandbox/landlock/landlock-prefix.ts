import { systemProgram } from '../../lib/process-tree.ts';

/**
 * Words that confine what is started after them with Landlock, which a program asks the kernel for by itself: writing only
 * below the given folders, no TCP, no signals and abstract sockets to the outside as far as the kernel knows how.
 * Perl makes the calls, since it is there on nearly every system and no compiled code has to be shipped.
 */
export function landlockPrefix(writable: readonly string[], network: boolean): readonly string[] {
  const settings = [network ? '1' : '0', String(writable.length), ...writable];
  const powers = process.getuid?.() === 0 ? NO_POWERS : [];
  const unprivileged = [systemProgram('setpriv'), '--no-new-privs', ...powers, '--'];
  return [...unprivileged, systemProgram('perl'), '-e', SCRIPT, '--', ...settings];
}

/** Root's powers would lead around the rules; what root owns it keeps. */
const NO_POWERS = ['--bounding-set', '-all', '--inh-caps', '-all'];

export const hasLandlockPrograms = (): boolean => systemProgram('perl') !== '' && systemProgram('setpriv') !== '';

/**
 * The numbers are the kernel's: calls 444 to 446, and rights as bits. Rights a kernel does not know must not be named, so
 * they depend on the version it tells. Reading is not restricted.
 */
const SCRIPT = String.raw`
  use strict;
  my $network = shift @ARGV;
  my @writable = splice(@ARGV, 0, shift @ARGV);
  my $version = syscall(444, 0, 0, 1);
  $version > 0 or die "landlock: this kernel does not offer it\n";
  my $on_file = (1 << 1) | ($version >= 3 ? 1 << 14 : 0);
  my $all = $on_file | ($version >= 2 ? 1 << 13 : 0);
  $all |= 1 << $_ for 4 .. 12;
  my @parts = ($all, $network || $version < 4 ? 0 : 3, $version >= 6 ? 3 : 0);
  my $rules = pack('Q' . ($version >= 6 ? 3 : $version >= 4 ? 2 : 1), @parts);
  my $set = syscall(444, $rules, length($rules), 0);
  $set >= 0 or die "landlock: no rules can be made: $!\n";
  for my $path (@writable, qw(/dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty /dev/ptmx /dev/pts)) {
    sysopen(my $handle, $path, 0x200000) or next;
    my $rule = pack('Ql', -d $path ? $all : $on_file, fileno($handle));
    syscall(445, $set, 1, $rule, 0) == 0 or die "landlock: $path cannot be allowed: $!\n";
  }
  syscall(446, $set, 0) == 0 or die "landlock: refused: $!\n";
  exec { $ARGV[0] } @ARGV or die "landlock: $ARGV[0]: $!\n";
`;
