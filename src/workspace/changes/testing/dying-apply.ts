import { treeId } from '../../../core/model/ids.ts';
import { openTreeStore } from '../../store/tree-store.ts';
import { applyTrees } from '../apply-trees.ts';

/** For tests: applies trees and dies without a word at the given reading of a blob. Arguments: store, project, from, to, when. */
const [gitDir = '', project = '', from = '', to = '', when = ''] = process.argv.slice(2);
const store = await openTreeStore(gitDir);
let reads = 0;
const read = async (blob: string): Promise<Buffer> => {
  reads += 1;
  if (reads === Number(when)) process.kill(process.pid, 'SIGKILL');
  return store.read(blob);
};
const dying = new Proxy(store, {
  get: (target, key) => {
    const value: unknown = key === 'read' ? read : Reflect.get(target, key, target);
    return typeof value === 'function' ? value.bind(target) : value;
  },
});
await applyTrees(dying, { from: treeId(from), to: treeId(to), project });
await store.close();
