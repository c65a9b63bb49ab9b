import { z } from 'zod';
import type { ArtifactType } from '../../core/record/artifact-fact.ts';
import { jsonObject, core, list, type Wire } from '../operations/parts.ts';

/** `replaced`: a later artifact has its path; `unknown`: its files are no longer stored. */
const artifactNowSchema = z.enum(['same', 'changed', 'replaced', 'gone', 'unknown']);

/** A version of an artifact as `artifacts --json` prints it: the fields of the document first, with its names (PH4). */
export const artifactViewSchema = z.object({
  id: z.string().describe('Unique over the whole tree of runs'),
  type: core<ArtifactType>(),
  producer: z.string(),
  created_at: z.string().describe('ISO 8601, UTC'),
  path: z.string(),
  metadata: jsonObject,
  dependencies: list(z.string()).describe('The ids of the artifacts it was made from'),
  name: z.string().describe('The output it was declared as'),
  phase: z.string(),
  hash: z.string().describe('SHA-256, in hex'),
  bytes: z.number(),
  version: z.number().describe('Which content of this path it is, from 1'),
  run: z.string().describe('The run whose record has it, that record, and its task'),
  record: z.number(),
  task: z.string(),
  undone: z.literal(true).exactOptional().describe('The run was put back to before it. Its content can still be had.'),
  now: artifactNowSchema
    .exactOptional()
    .describe('How its file is in the newest tree of its workspace, where somebody has looked'),
});

export type ArtifactView = Wire<typeof artifactViewSchema>;
export type ArtifactNow = Wire<typeof artifactNowSchema>;
