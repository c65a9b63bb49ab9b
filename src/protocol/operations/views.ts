import { z } from 'zod';
import { whyViewSchema } from './answers/why.ts';
import { artifactViewSchema } from '../artifacts/artifact-view.ts';
import { branchLineSchema, changesPageSchema } from '../web/changes-page.ts';
import { busLineSchema } from './answers/bus.ts';
import { FAMILY_VIEWS } from '../../formats/registry/views.ts';
import { metricsViewSchema } from '../metrics/metrics-view.ts';
import { requestLineSchema, requestViewSchema } from '../request-trace.ts';
import { runViewSchema } from './answers/run.ts';
import { line, listAnswer, run, type Wire } from './parts.ts';

// Views of a run: one schema for the request and one for the answer, for every interface (R2).

const flag = z.literal(true).exactOptional();
const about = { run: z.string() };

export const rawLineSchema = z.object({ kind: z.literal('line'), run: z.string(), task: z.string(), line: z.string() });

export const VIEWS = {
  show: { request: z.strictObject({ run }), answer: runViewSchema },
  ...FAMILY_VIEWS,
  messages: { request: z.strictObject({ run }), answer: listAnswer('messages', busLineSchema).extend(about) },
  metrics: { request: z.strictObject({ run }), answer: metricsViewSchema },
  branches: {
    request: z.strictObject({ run }),
    answer: listAnswer('branches', branchLineSchema).extend({
      ...about,
      isGit: z.boolean().describe('False: the project is in no git repository, or its folder is gone'),
    }),
  },
  requests: {
    request: z.strictObject({ run, call: z.int().positive().exactOptional() }),
    answer: z.discriminatedUnion('kind', [
      listAnswer('requests', requestLineSchema).extend(about),
      requestViewSchema.extend({ kind: z.literal('request') }),
    ]),
  },
  artifacts: {
    request: z.strictObject({ run, why: flag }),
    answer: z.discriminatedUnion('kind', [
      listAnswer('artifacts', artifactViewSchema).extend(about),
      listAnswer('why', whyViewSchema).extend(about),
    ]),
  },
  artifact: {
    request: z.strictObject({ run, artifact: line }),
    answer: artifactViewSchema.extend({
      kind: z.literal('artifact'),
      content: z.string().exactOptional(),
      content_base64: z.string().exactOptional().describe('Instead of `content` where the bytes are not text'),
    }),
  },
  changes: {
    request: z.strictObject({
      run,
      agent: line.exactOptional(),
      workspace: line.exactOptional(),
      from: line.exactOptional(),
      to: line.exactOptional(),
      against: line.exactOptional().describe('A branch, tag or commit of the user'),
      project: flag,
      disk: flag,
      stat: flag,
    }),
    answer: changesPageSchema,
  },
  rawLogs: {
    request: z.strictObject({ run, task: line.exactOptional() }),
    answer: listAnswer('lines', rawLineSchema).extend(about),
  },
} as const;

export type View = {
  [Kind in keyof typeof VIEWS]: { readonly kind: Kind } & Readonly<z.infer<(typeof VIEWS)[Kind]['request']>>;
}[keyof typeof VIEWS];

export type Shown<Kind extends View['kind'] = View['kind']> = Wire<(typeof VIEWS)[Kind]['answer']>;
