import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyTrees, rollbackProject } from './apply-trees.ts';
import { openAll, picture, putFiles, storeWorld } from './testing/store-world.ts';
import type { Files, FileShape } from './testing/store-world.ts';

const NAMES = ['a', 'b', 'c\n', 'é'];
type Shape = FileShape | { readonly inside: readonly (readonly [string, Shape])[]; readonly mode: number };

const leaf = fc.oneof(
  fc.record({ content: fc.constantFrom('', 'x', 'y\r\n', '\0'), mode: fc.constantFrom(0o644, 0o755, 0o600, 0o444) }),
  fc.record({ link: fc.constantFrom('a', '../b', '/nowhere') }),
);
const { shape: anything } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({
      inside: fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('shape')), {
        selector: ([name]) => name,
        maxLength: 3,
      }),
      mode: fc.constantFrom(0o755, 0o755, 0o700, 0o555),
    }),
  ),
}));
const tree = fc.dictionary(fc.constantFrom(...NAMES), anything).map((shapes): Files => {
  const files: Record<string, FileShape> = {};
  const add = (path: string, shape: Shape): void => {
    if (!('inside' in shape)) files[path] = shape;
    else {
      // What is in a folder comes first: it may be closed afterwards.
      for (const [name, below] of shape.inside) add(`${path}/${name}`, below);
      files[`${path}/`] = { mode: shape.mode };
    }
  };
  for (const [path, shape] of Object.entries(shapes)) add(path, shape);
  return files;
});

test('[PH7] any tree becomes any other and back again, and what the user changes in between is never lost', async () => {
  const world = await storeWorld(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
  const { store, project } = world;
  await fc.assert(
    fc.asyncProperty(tree, tree, fc.constantFrom(...NAMES), async (first, second, name) => {
      emptied(project);
      putFiles(project, first);
      const from = await world.record(project);
      const to = await world.treeOf(second);
      const before = picture(project);
      expect(await applyTrees(store, { from, to, project })).toMatchObject({ kind: 'applied' });
      expect(await world.record(project)).toBe(to);
      expect(await applyTrees(store, { from: to, to: from, project })).toMatchObject({ kind: 'applied' });
      expect(picture(project)).toEqual(before);

      await applyTrees(store, { from, to, project });
      emptied(project, [name]);
      writeFileSync(join(project, name), 'of the user', { mode: 0o640 });
      const mine = picture(project)[Buffer.from(name).toString('latin1')];
      await rollbackProject(store, { before: from, after: to, project });
      const now = picture(project);
      expect(now[Buffer.from(name).toString('latin1')]).toBe(mine);
      const others = (paths: Record<string, string>) =>
        Object.fromEntries(
          Object.entries(paths).filter(([path]) => path.split('/')[0] !== Buffer.from(name).toString('latin1')),
        );
      expect(others(now)).toEqual(others(before));
    }),
    { numRuns: 60, seed: 11 },
  );
});

function emptied(folder: string, names: readonly string[] = readdirSync(folder)): void {
  for (const name of names) {
    openAll(join(folder, name));
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
