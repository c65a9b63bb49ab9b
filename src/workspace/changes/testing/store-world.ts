import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { TreeId } from '../../../core/model/ids.ts';
import type { BytePath } from '../../byte-path.ts';
import type { LeaveOut, TreeStore } from '../../store/port.ts';
import { openTreeStore } from '../../store/tree-store.ts';

/** For tests: a project, a store for it, and folders in which one can play the agent. All gone when the test is over. */
export async function storeWorld(parent = tmpdir()): Promise<StoreWorld> {
  const base = realpathSync(mkdtempSync(join(parent, 'changes-')));
  onTestFinished(() => {
    openAll(base);
    rmSync(base, { recursive: true, force: true });
  });
  const project = join(base, 'project');
  mkdirSync(project);
  const store = await openTreeStore(join(base, 'store'));
  onTestFinished(() => store.close());
  let made = 0;
  const record = async (folder: string, leaveOut: LeaveOut = () => false): Promise<TreeId> => {
    made += 1;
    return (await store.record(folder, { index: join(base, `index-${made}`), leaveOut })).tree;
  };
  const treeOf = async (files: Files): Promise<TreeId> => {
    made += 1;
    const folder = join(base, `tree-${made}`);
    mkdirSync(folder);
    putFiles(folder, files);
    return record(folder);
  };
  return { base, project, store, record, treeOf };
}

export interface StoreWorld {
  readonly base: string;
  readonly project: string;
  readonly store: TreeStore;
  readonly record: (folder: string, leaveOut?: LeaveOut) => Promise<TreeId>;
  readonly treeOf: (files: Files) => Promise<TreeId>;
}

/** Content, or what else it is. A name that ends in a slash is a folder. */
export type Files = Readonly<Record<string, string | Buffer | FileShape>>;

export interface FileShape {
  readonly content?: string | Buffer;
  readonly mode?: number;
  readonly link?: string;
}

export function putFiles(folder: string, files: Files): void {
  const shapes = Object.entries(files).map(([path, given]) => ({ path, shape: shapeOf(given) }));
  for (const { path, shape } of shapes) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    if (path.endsWith('/')) mkdirSync(place, { recursive: true });
    else if (shape.link === undefined) writeFileSync(place, shape.content ?? '');
    else symlinkSync(shape.link, place);
  }
  for (const { path, shape } of shapes.filter(({ shape }) => shape.link === undefined)) {
    chmodSync(join(folder, path), shape.mode ?? (path.endsWith('/') ? 0o755 : 0o644));
  }
}

function shapeOf(given: Files[string]): FileShape {
  return typeof given === 'string' || Buffer.isBuffer(given) ? { content: given } : given;
}

/** Everything below a folder as this test sees it, by its own means: kind, mode and content of each path. */
export function picture(
  folder: string,
  options: { readonly without?: readonly string[] } = {},
): Record<BytePath, string> {
  const seen: Record<BytePath, string> = {};
  const look = (path: Buffer, name: BytePath): void => {
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) seen[name] = `link ${readlinkSync(path, { encoding: 'latin1' })}`;
    else if (stats.isFile())
      seen[name] = `file ${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
    else if (stats.isDirectory()) seen[name] = `folder ${mode}`;
    else seen[name] = 'special';
    if (!stats.isDirectory()) return;
    for (const entry of readdirSync(path, { encoding: 'buffer' })) {
      const below = name === '' ? entry.toString('latin1') : `${name}/${entry.toString('latin1')}`;
      if (options.without?.includes(below) !== true) look(Buffer.concat([path, Buffer.from('/'), entry]), below);
    }
  };
  look(Buffer.from(folder), '');
  delete seen[''];
  return seen;
}

/** As root and as an ordinary user: what a test closed must be opened before it can be removed. */
export function openAll(folder: string): void {
  if (!existsSync(folder) || !lstatSync(folder).isDirectory()) return;
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openAll(join(folder, entry.name));
  }
}
