import type { ResourceLink } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Fault, isFault } from '../../core/model/fault.ts';
import type { Json } from '../../core/model/json.ts';
import type { Shown } from '../../protocol/operations/views.ts';
import type { ArtifactView } from '../../protocol/artifacts/artifact-view.ts';
import type { Operations } from '../operations.ts';
import type { Answered } from './mcp-tool.ts';
import { runReport, runUri, type RunReport } from './run-report.ts';

export const mcpRunResult = z.object({
  ...runReport.shape,
  output: z.unknown().describe('The output of the workflow; null if it is too large, then see `outputBeginning`'),
  outputBeginning: z.string().nullable().describe('Of an output that is too large: the rest is in the linked resource'),
  files: z
    .array(z.object({ path: z.string(), change: z.string() }))
    .nullable()
    .describe('Files that it changed in its workspace; null if that is no longer known'),
  moreFiles: z.int().describe('Changed files that are not listed'),
  artifacts: z.array(z.object({ id: z.string(), path: z.string(), type: z.string(), uri: z.string() })),
  moreArtifacts: z.int(),
});

export type McpRunResult = z.infer<typeof mcpRunResult>;

/** More than this is of no use in a conversation. */
const MOST_CHARACTERS = 16_000;
const BEGINNING = 2000;
const MOST_FILES = 100;
const MOST_ARTIFACTS = 50;

/** RUN_OPEN while it is not over. */
export async function resultOf(operations: Operations, report: RunReport): Promise<Answered<McpRunResult>> {
  const { run, status } = report;
  if (status !== 'settled')
    throw new Fault('RUN_OPEN', `Run ${run} is not over: it is ${status}.`, { hint: report.next });
  const [shown, made, changed] = await Promise.all([
    operations.look({ kind: 'show', run }),
    foundOr(null, () => operations.look({ kind: 'artifacts', run })),
    foundOr(null, () => operations.look({ kind: 'changes', run, stat: true })),
  ]);
  const artifacts = newest(made);
  const files = changed?.files.map(({ path, change }) => ({ path, change })) ?? null;
  const output = outputIn(shown.output);
  const value = {
    ...report,
    ...output,
    files: files?.slice(0, MOST_FILES) ?? null,
    moreFiles: Math.max(0, (files?.length ?? 0) - MOST_FILES),
    artifacts: artifacts
      .slice(0, MOST_ARTIFACTS)
      .map(({ id, path, type }) => ({ id, path, type, uri: artifactUri(run, id) })),
    moreArtifacts: Math.max(0, artifacts.length - MOST_ARTIFACTS),
  };
  return { value, links: linksOf(value) };
}

/** Falls back if one part is not kept any more, so that the rest is still reported. */
async function foundOr<Value, Other>(otherwise: Other, look: () => Promise<Value>): Promise<Value | Other> {
  try {
    return await look();
  } catch (error) {
    if (isFault(error)) return otherwise;
    throw error;
  }
}

const artifactUri = (run: string, id: string): string => runUri(run, `/artifacts/${encodeURIComponent(id)}`);

/** Those that count: of each path the last, and none that was undone. */
function newest(made: Shown<'artifacts'> | null): readonly ArtifactView[] {
  const views = made?.kind === 'artifacts' ? made.items.filter(({ undone }) => undone === undefined) : [];
  return [...new Map(views.map((view) => [view.path, view])).values()];
}

function outputIn(output: Json): Pick<McpRunResult, 'output' | 'outputBeginning'> {
  const text = runResultText(output);
  return text.length <= MOST_CHARACTERS
    ? { output, outputBeginning: null }
    : { output: null, outputBeginning: text.slice(0, BEGINNING).toWellFormed() };
}

export const runResultText = (output: Json): string =>
  typeof output === 'string' ? output : JSON.stringify(output, null, 2);

function linksOf({ run, outputBeginning, files, artifacts }: McpRunResult): readonly ResourceLink[] {
  const link = (uri: string, name: string, mimeType?: string): ResourceLink => ({
    type: 'resource_link',
    uri,
    name,
    ...(mimeType === undefined ? {} : { mimeType }),
  });
  return [
    ...(outputBeginning === null ? [] : [link(runUri(run, '/output'), `output of ${run}`, 'text/plain')]),
    ...((files ?? []).length === 0 ? [] : [link(runUri(run, '/changes'), `changes of ${run}`, 'text/x-diff')]),
    ...artifacts.map(({ uri, path }) => link(uri, path)),
  ];
}
