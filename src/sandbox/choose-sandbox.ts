import { Fault } from '../core/fault.ts';
import type { FoundLevel, FoundSandboxes } from './found-level.ts';
import { openSandbox } from './open-sandbox.ts';
import type { Sandbox, SandboxLevel } from './port.ts';

/**
 * The sandbox that was asked for, or a fault that says what to do. Never a weaker one: who wants that has to say so.
 * Null asks for the platform's own: bubblewrap on Linux, none elsewhere. `best` takes whatever is strongest here, also none.
 */
export function chooseSandbox(found: FoundSandboxes, wanted: SandboxWish | null): Sandbox {
  const level = wanted === 'best' ? strongest(found) : (wanted ?? defaultLevel());
  const chosen = found.levels.find((each) => each.level === level);
  if (chosen === undefined || chosen.failures.length > 0) throw unavailable(level, chosen, found);
  return openSandbox(chosen, found.scratch);
}

/** What a user may ask for. */
export type SandboxWish = SandboxLevel | 'best';

const BY_STRENGTH: readonly SandboxLevel[] = ['bubblewrap', 'landlock', 'none'];

function strongest(found: FoundSandboxes): SandboxLevel {
  const works = (level: SandboxLevel) =>
    found.levels.some((each) => each.level === level && each.failures.length === 0);
  return BY_STRENGTH.find(works) ?? 'none';
}

export const defaultLevel = (platform = process.platform): SandboxLevel =>
  platform === 'linux' ? 'bubblewrap' : 'none';

function unavailable(level: SandboxLevel, tested: FoundLevel | undefined, found: FoundSandboxes): Fault {
  const failures = tested?.failures ?? ['it is not known on this system'];
  return new Fault('SANDBOX_UNAVAILABLE', `The sandbox ${level} does not work here: ${failures.join('; ')}.`, {
    hint: sandboxHint(level, found),
    facts: { level, failures },
  });
}

/** What a user can do about a level that does not work. */
export function sandboxHint(level: SandboxLevel, found: FoundSandboxes): string {
  const tested = found.levels.find((each) => each.level === level);
  return [...remedies(level, tested), ...weaker(level, found)].join('\n');
}

const AS_ROOT: readonly string[] = [
  "Run Troupe as an ordinary user. Root's commands get another user id, which needs perl, unshare, Linux 5.12 or later, and",
  'the project, the temporary folder and TROUPE_HOME on ext4, XFS or Btrfs.',
];

function remedies(level: SandboxLevel, tested: FoundLevel | undefined): readonly string[] {
  if (level === 'landlock') return ['Landlock needs Linux 5.13 or later, perl and setpriv.'];
  if (level === 'none') return [];
  if (tested === undefined || tested.program === '') {
    return ['Install bubblewrap: apt-get install bubblewrap (or dnf, pacman -S, zypper install, apk add).'];
  }
  const asRoot = tested.identity === 'mapped' ? AS_ROOT : [];
  return [
    ...asRoot,
    'Bubblewrap is installed, but user namespaces seem to be forbidden. As root, allow them:',
    '  sysctl -w kernel.unprivileged_userns_clone=1   (older Debian)',
    '  sysctl -w kernel.apparmor_restrict_unprivileged_userns=0   (Ubuntu 24.04 and later, or give bwrap an AppArmor profile)',
    '  in a container: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined',
  ];
}

function weaker(level: SandboxLevel, found: FoundSandboxes): readonly string[] {
  const works = (name: SandboxLevel) => found.levels.some((each) => each.level === name && each.failures.length === 0);
  return [
    ...(level === 'bubblewrap' && works('landlock')
      ? ['Or choose less: --sandbox landlock (modes of files and UDP are not confined).']
      : []),
    ...(level === 'none'
      ? []
      : ['Or run without: --sandbox none (commands can do all that you can; the run records it).']),
  ];
}
