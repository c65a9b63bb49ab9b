import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program outside of every workspace. Starting it on the host leaves a trace. */
export function setTrap(folder: string): Trap {
  const [program, trace] = [join(folder, 'trap'), join(folder, 'trace')];
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${trace}'\ncat 2>/dev/null\nexit 0\n`);
  chmodSync(program, 0o755);
  return {
    program,
    hasRun: () => existsSync(trace),
    forget: () => rmSync(trace, { force: true }),
  };
}

export interface Trap {
  readonly program: string;
  readonly hasRun: () => boolean;
  readonly forget: () => void;
}

/** A script that plants the program wherever git looks for programs: for a folder with its own `.git`. */
export function plantingScript({ program }: Trap): string {
  const settings = PROGRAM_SETTINGS.map((name) => `git config ${name} '${program}'`);
  return [
    'mkdir -p .git/hooks bare/objects bare/refs bare/hooks',
    `for hook in ${HOOKS.join(' ')}; do`,
    `  printf '#!/bin/sh\\n%s hook\\n' '${program}' > .git/hooks/$hook`,
    '  chmod +x .git/hooks/$hook; cp -p .git/hooks/$hook bare/hooks/$hook',
    'done',
    ...settings,
    'git config filter.evil.required true',
    `git config alias.status '!${program}'`,
    `git config core.alternateRefsCommand '${program}'`,
    `printf '* filter=evil diff=evil merge=evil ident\\n' > .gitattributes`,
    `printf '[submodule "sub"]\\n\\tpath = sub\\n\\turl = ext::%s\\n\\tupdate = !%s\\n' '${program}' '${program}' > .gitmodules`,
    `printf 'ref: refs/heads/main\\n' > bare/HEAD`,
    `printf '[core]\\n\\tbare = true\\n\\tworktree = ..\\n\\tfsmonitor = %s\\n' '${program}' > bare/config`,
    'git init -q nested && cp -p bare/hooks/* nested/.git/hooks/ && cp bare/config nested/.git/config && echo x > nested/file',
  ].join('\n');
}

const HOOKS = [
  ['pre-commit', 'post-commit', 'post-checkout', 'post-merge', 'reference-transaction', 'post-index-change'],
  ['pre-auto-gc', 'post-rewrite', 'fsmonitor-watchman', 'pre-push', 'post-applypatch', 'prepare-commit-msg'],
].flat();

const PROGRAM_SETTINGS = [
  ['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.gitProxy', 'core.askPass'],
  ['diff.external', 'diff.evil.command', 'diff.evil.textconv', 'filter.evil.clean', 'filter.evil.smudge'],
  ['filter.evil.process', 'merge.evil.driver', 'gpg.program', 'credential.helper', 'uploadpack.packObjectsHook'],
].flat();
