import { z } from 'zod';
import { list, type Wire } from '../operations/parts.ts';

export const fileChangeSchema = z.object({
  path: z.string().describe('As it may be printed anywhere'),
  change: z.enum(['added', 'deleted', 'modified', 'mode', 'type']),
  kind: z.enum(['file', 'link', 'folder', 'unkept']),
  added: z.number().exactOptional().describe('Lines; left out where they were not counted'),
  removed: z.number().exactOptional(),
  isBinary: z.literal(true).exactOptional(),
  bytes: z
    .tuple([z.number().nullable(), z.number().nullable()])
    .readonly()
    .exactOptional()
    .describe('Bytes before and after; only of what is not text'),
  mode: z.tuple([z.string(), z.string()]).readonly().exactOptional().describe('Before and after, if it changed'),
});

const notComparedFileSchema = z.object({
  path: z.string(),
  why: z
    .enum(['ignored', 'left-out', 'sparse', 'submodule', 'filter', 'missing'])
    .describe(
      'Ignored by the project; in no workspace; not checked out (sparse); of a repository inside the project; converted for git by an outside program; not in this clone, or too large',
    ),
});

const notComparedFilesSchema = z.object({
  count: z.number(),
  some: list(notComparedFileSchema).describe('The first of them'),
});

/** `GET /api/runs/:run/changes`: the output of `diff --json`. */
export const changesPageSchema = z.object({
  kind: z.literal('diff'),
  run: z.string(),
  workspace: z.string(),
  folder: z.string(),
  before: z.string().describe('The trees that were compared; `GET /api/runs/:run/file` gives their files'),
  after: z.string(),
  files: list(fileChangeSchema),
  added: z.number(),
  removed: z.number(),
  hasMore: z.boolean().describe('The folder holds something that no record names'),
  against: z
    .object({ ref: z.string(), commit: z.string() })
    .exactOptional()
    .describe('The commit it was compared with, where a branch, tag or commit was named'),
  notCompared: notComparedFilesSchema
    .exactOptional()
    .describe('What a comparison with a commit says nothing of; left out where there is nothing of the kind'),
  patch: z.string().exactOptional().describe('One of the two: the second where its bytes are not text'),
  patchBase64: z.string().exactOptional(),
});

export const branchLineSchema = z.object({
  name: z.string(),
  commit: z.string(),
  at: z.number().describe('When its newest commit was made'),
  isCurrent: z.literal(true).exactOptional(),
  isRemote: z.literal(true).exactOptional(),
});

/** The output of `compare --diff A B --json`. */
export const pairChangesSchema = changesPageSchema
  .pick({
    run: true,
    before: true,
    after: true,
    files: true,
    added: true,
    removed: true,
    patch: true,
    patchBase64: true,
  })
  .extend({ kind: z.literal('compare-diff'), from: z.string(), to: z.string() });

export type ChangesPage = Wire<typeof changesPageSchema>;
export type FileChange = Wire<typeof fileChangeSchema>;
export type NotComparedFiles = Wire<typeof notComparedFilesSchema>;
export type NotComparedFile = Wire<typeof notComparedFileSchema>;
export type BranchLine = Wire<typeof branchLineSchema>;
