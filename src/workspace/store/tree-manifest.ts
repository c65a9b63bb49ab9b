import { Fault } from '../../core/fault.ts';
import type { BytePath, WrittenPath } from '../byte-path.ts';
import { folderOf, fromWritten, toWritten } from '../byte-path.ts';
import type { TreeEntry, Unkept } from './port.ts';

/**
 * What git's trees cannot say: full modes, empty folders, and what was there without being kept. Made from the entries
 * alone and in one order, so equal files have equal manifests.
 */
export interface TreeManifest {
  /** The mode of every file, program and folder that is not named in `modes`: whichever is most common among them. */
  readonly usual: Readonly<Record<ModeClass, number>>;
  readonly modes: ReadonlyMap<BytePath, number>;
  readonly emptyFolders: ReadonlySet<BytePath>;
  readonly unkept: ReadonlyMap<BytePath, Unkept>;
}

export type ModeClass = 'file' | 'program' | 'folder';

export function classOf(entry: { readonly kind: 'file' | 'folder'; readonly mode: number }): ModeClass {
  if (entry.kind === 'folder') return 'folder';
  return (entry.mode & 0o100) === 0 ? 'file' : 'program';
}

/** Of all entries, every folder among them. */
export function makeManifest(entries: ReadonlyMap<BytePath, TreeEntry>): TreeManifest {
  const usual = usualModes(entries.values());
  const inhabited = new Set<BytePath>();
  const modes: [BytePath, number][] = [];
  const unkept: [BytePath, Unkept][] = [];
  for (const [path, entry] of entries) {
    inhabited.add(folderOf(path));
    if (entry.kind === 'unkept') unkept.push([path, entry.why]);
    else if (entry.kind !== 'link' && entry.mode !== usual[classOf(entry)]) modes.push([path, entry.mode]);
  }
  const empty = [...entries].filter(([path, { kind }]) => kind === 'folder' && !inhabited.has(path));
  return {
    usual,
    modes: new Map(modes.sort(byPath)),
    emptyFolders: new Set(empty.map(([path]) => path).sort()),
    unkept: new Map(unkept.sort(byPath)),
  };
}

function byPath([a]: readonly [BytePath, unknown], [b]: readonly [BytePath, unknown]): number {
  return a < b ? -1 : 1;
}

function usualModes(entries: Iterable<TreeEntry>): TreeManifest['usual'] {
  const counts: Record<ModeClass, Map<number, number>> = { file: new Map(), program: new Map(), folder: new Map() };
  for (const entry of entries) {
    if (entry.kind !== 'file' && entry.kind !== 'folder') continue;
    const count = counts[classOf(entry)];
    count.set(entry.mode, (count.get(entry.mode) ?? 0) + 1);
  }
  return {
    file: mostCommon(counts.file, 0o644),
    program: mostCommon(counts.program, 0o755),
    folder: mostCommon(counts.folder, 0o755),
  };
}

/** Of equally common ones the smaller number, so that there is one answer. */
function mostCommon(counts: ReadonlyMap<number, number>, otherwise: number): number {
  const [best] = [...counts].sort(([mode, count], [other, otherCount]) => otherCount - count || mode - other);
  return best?.[0] ?? otherwise;
}

interface ManifestFile {
  readonly format: 1;
  readonly usual: Readonly<Record<ModeClass, string>>;
  readonly modes: readonly (readonly [WrittenPath, string])[];
  readonly emptyFolders: readonly WrittenPath[];
  readonly unkept: readonly (readonly [WrittenPath, Unkept])[];
}

export function encodeManifest({ usual, modes, emptyFolders, unkept }: TreeManifest): Buffer {
  const file: ManifestFile = {
    format: 1,
    usual: { file: octal(usual.file), program: octal(usual.program), folder: octal(usual.folder) },
    modes: [...modes].map(([path, mode]) => [toWritten(path), octal(mode)] as const),
    emptyFolders: [...emptyFolders].map(toWritten),
    unkept: [...unkept].map(([path, why]) => [toWritten(path), why] as const),
  };
  return Buffer.from(`${JSON.stringify(file)}\n`);
}

const octal = (mode: number): string => mode.toString(8);

export function decodeManifest(bytes: Buffer): TreeManifest {
  const file = JSON.parse(bytes.toString('utf8')) as ManifestFile | { readonly format: number };
  if (!isFirstFormat(file)) {
    throw new Fault(
      'STORE_NEWER',
      `The files were recorded in format ${file.format}, which is newer than this program.`,
      {
        hint: 'Use the version of Troupe that recorded them, or a later one.',
      },
    );
  }
  const { file: plain, program, folder } = file.usual;
  return {
    usual: { file: fromOctal(plain), program: fromOctal(program), folder: fromOctal(folder) },
    modes: new Map(file.modes.map(([path, mode]) => [fromWritten(path), fromOctal(mode)])),
    emptyFolders: new Set(file.emptyFolders.map(fromWritten)),
    unkept: new Map(file.unkept.map(([path, why]) => [fromWritten(path), why])),
  };
}

const isFirstFormat = (file: { readonly format: number }): file is ManifestFile => file.format === 1;
const fromOctal = (text: string): number => Number.parseInt(text, 8) & 0o777;
