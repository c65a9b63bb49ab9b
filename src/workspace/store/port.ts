export type { TreeStore } from './tree-store.ts';
export type * from './tree-types.ts';
