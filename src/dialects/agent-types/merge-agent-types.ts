import { laidOver } from '../roles/merge-roles.ts';
import type { RolePart } from '../roles/role-part.ts';
import type { TypeFile, TypeWords } from './parse-agent-type.ts';

/** A type as all its files together make it. */
export interface MergedType {
  readonly name: string;
  readonly words: TypeWords;
  readonly role: RolePart;
  /** The one that counts most comes last. */
  readonly files: readonly TypeFile[];
}

/** Later files win, key by key, as with roles. */
export function mergeAgentTypes(files: readonly TypeFile[]): ReadonlyMap<string, MergedType> {
  const merged = new Map<string, MergedType>();
  for (const file of files) {
    const lower = merged.get(file.name);
    merged.set(file.name, {
      name: file.name,
      words: { ...lower?.words, ...file.words },
      role: laidOver(lower?.role, file.role),
      files: [...(lower?.files ?? []), file],
    });
  }
  return merged;
}
