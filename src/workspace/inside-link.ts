import type { BytePath } from './byte-path.ts';

/**
 * Whether a link stays in the folder it belongs to. By the text alone: from the link's folder up at most to the root, then
 * only down. A `..` further on is refused, since it would be taken from wherever another link leads.
 */
export function staysInside(path: BytePath, target: BytePath): boolean {
  if (target === '' || target.startsWith('/')) return false;
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const ups = names.findIndex((name) => name !== '..');
  const up = ups === -1 ? names.length : ups;
  return up <= path.split('/').length - 1 && !names.slice(up).includes('..');
}
