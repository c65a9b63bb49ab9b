import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { Fault } from '../../core/model/fault.ts';
import type { Shown } from '../../protocol/operations/views.ts';
import type { Operations } from '../operations.ts';
import { runUri } from './run-report.ts';
import { runResultText } from './run-result.ts';
import type { RunWatch } from './run-watch.ts';
import { orElse } from '../../lib/or-else.ts';

/** The parts of a run that can be read in full. */
export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'troupe://runs/{run}',
    name: 'run',
    description: 'The status of a run',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'troupe://runs/{run}/output',
    name: 'output',
    description: 'The output of a run',
    mimeType: 'text/plain',
  },
  {
    uriTemplate: 'troupe://runs/{run}/changes',
    name: 'changes',
    description: 'The changes of a run, as a patch',
    mimeType: 'text/x-diff',
  },
  {
    uriTemplate: 'troupe://runs/{run}/artifacts/{artifact}',
    name: 'artifact',
    description: 'An artifact of a run',
  },
];

const MOST_LISTED = 20;

/** The newest runs of the project. */
export async function listResources(operations: Operations, watch: RunWatch): Promise<readonly Resource[]> {
  const { runs } = await watch.list({ project: operations.project, limit: MOST_LISTED });
  return runs.map(({ run, workflow, title, status, outcome }) => ({
    uri: runUri(run),
    name: `${workflow} ${run}`,
    title: title === '' ? workflow : title,
    description: outcome ?? status,
    mimeType: 'application/json',
  }));
}

/** RESOURCE_UNKNOWN, RUN_UNKNOWN, and what the commands say. */
export async function readResource(uri: string, operations: Operations, watch: RunWatch): Promise<ReadResourceResult> {
  const [run, part, ...rest] = partsOf(uri);
  if (run === undefined) throw unknown(uri);
  await watch.info(run);
  const text = (mimeType: string, words: string): ReadResourceResult => ({
    contents: [{ uri, mimeType, text: words }],
  });
  if (part === undefined) return text('application/json', JSON.stringify(await watch.report(run), null, 2));
  if (part === 'output')
    return text('text/plain', runResultText((await operations.look({ kind: 'show', run })).output));
  if (part === 'changes') return patchOf(uri, await operations.look({ kind: 'changes', run }));
  const [artifact] = rest;
  if (part !== 'artifacts' || artifact === undefined || rest.length > 1) throw unknown(uri);
  return artifactOf(uri, await operations.look({ kind: 'artifact', run, artifact }));
}

function partsOf(uri: string): readonly string[] {
  const found = /^troupe:\/\/runs\/([^?#]+)$/.exec(uri)?.[1];
  return orElse(() => found?.split('/').map(decodeURIComponent), []) ?? [];
}

const unknown = (uri: string): Fault =>
  new Fault('RESOURCE_UNKNOWN', `There is no resource "${uri}".`, {
    hint: `There are: ${RESOURCE_TEMPLATES.map(({ uriTemplate }) => uriTemplate).join(', ')}.`,
  });

function patchOf(uri: string, { patch, patchBase64 }: Shown<'changes'>): ReadResourceResult {
  return { contents: [contentOf(uri, 'text/x-diff', { text: patch, base64: patchBase64 })] };
}

function artifactOf(uri: string, { content, content_base64 }: Shown<'artifact'>): ReadResourceResult {
  return { contents: [contentOf(uri, 'text/plain', { text: content, base64: content_base64 })] };
}

type Content = ReadResourceResult['contents'][number];

/** Bytes that are not text go as such. */
function contentOf(
  uri: string,
  mimeType: string,
  given: Partial<Record<'text' | 'base64', string | undefined>>,
): Content {
  const { text, base64 = '' } = given;
  return text === undefined ? { uri, mimeType: 'application/octet-stream', blob: base64 } : { uri, mimeType, text };
}
