import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Fault } from '../../core/model/fault.ts';
import { orElse } from '../../lib/or-else.ts';
import { type BytePath, diskPath, folderOf, toNames } from '../byte-path.ts';
import { runPlace } from '../run-place.ts';
import { objectId } from '../store/git-object.ts';
import { type CodeFile, filesOfTools, type TrustOptions, trustState } from '../trust.ts';
import { bodyDamaged, getBlob, packObject, putBlob } from './packed-body.ts';
import type { SharedStore } from './port.ts';

/**
 * Puts the files in a project's `.troupe/tools` into the shared store if the user trusts them, and names the body that lists them
 * by their hashes: a run that records it carries the user's consent to exactly these files. Undefined without trusted tools.
 */
export async function sendTools(shared: SharedStore, trust: TrustOptions): Promise<string | undefined> {
  // Code that is not trusted may be of any size, so it is not kept in memory.
  if ((await trustState(trust)).state !== 'trusted') return undefined;
  const files: CodeFile[] = [];
  const onFile = (file: CodeFile): void => void (isOfTools(file.path) && files.push(file));
  if ((await trustState({ ...trust, onFile })).state !== 'trusted') throw changedMeanwhile(trust.project);
  if (files.length === 0) return undefined;
  const bodies = new Map(files.map(({ content }) => [objectId('blob', content), content]));
  const missing = await shared.missing([...bodies.keys()]);
  const lacking = [...bodies].filter(([name]) => missing.has(name));
  await shared.put(lacking.map(([name, body]) => ({ name, content: packObject({ type: 'blob', body }) })));
  return await putBlob(shared, Buffer.from(JSON.stringify({ format: 1, files: files.map(listed) })));
}

const PLACE = '.troupe/tools';

const isOfTools = (path: BytePath): boolean => path.startsWith(`${PLACE}/`);

const listed = ({ path, content, isExecutable }: CodeFile): ListedFile => ({
  path,
  body: objectId('blob', content),
  isExecutable,
});

const listShape = z.strictObject({
  format: z.literal(1),
  files: z.array(
    z.strictObject({
      /** One that leads elsewhere would be written elsewhere. */
      path: z.string().refine((path) => isOfTools(path) && toNames(path).every(isPlainName)),
      body: z.string(),
      isExecutable: z.boolean(),
    }),
  ),
});

type ListedFile = z.infer<typeof listShape>['files'][number];

const isPlainName = (name: Buffer): boolean => name.length > 0 && !name.includes(0) && !/^\.\.?$/.test(String(name));

const changedMeanwhile = (project: string): Fault =>
  new Fault('PROJECT_UNTRUSTED', `The tools of ${project} have changed while the run began.`, {
    hint: 'Start it again. If the project is not trusted then: troupe trust',
    facts: { project },
  });

/** The tools of a project that is on another machine. */
export interface SentTools {
  readonly folder: string;
  /** Whether the folder holds exactly the files to which the user agreed. */
  readonly isUnchanged: () => Promise<boolean>;
}

/** The same files on the other machine, in the folder of the run. */
export async function receiveTools(
  { home, shared }: { readonly home: string; readonly shared: SharedStore },
  { root, tools }: { readonly root: string; readonly tools: string },
): Promise<SentTools> {
  const files = listIn(tools, await getBlob(shared, tools));
  const place = join(runPlace(home, root).base, 'tools');
  const isUnchanged = (): Promise<boolean> => holdsExactly(place, files);
  if (!(await isUnchanged())) {
    const made = `${place}.${randomUUID()}~`;
    for (const { path, body, isExecutable } of files) {
      await mkdir(diskPath(made, folderOf(path)), { recursive: true });
      await writeFile(diskPath(made, path), await getBlob(shared, body), { mode: isExecutable ? 0o755 : 0o644 });
    }
    await rm(place, { recursive: true, force: true });
    // Another worker that shares the home may have been faster, with the same files.
    await rename(made, place).catch(() => rm(made, { recursive: true, force: true }));
  }
  return { folder: join(place, PLACE), isUnchanged };
}

function listIn(name: string, body: Buffer): readonly ListedFile[] {
  const list = listShape.safeParse(orElse((): unknown => JSON.parse(body.toString('utf8')), null));
  if (list.success) return list.data.files;
  throw bodyDamaged(name);
}

async function holdsExactly(place: string, files: readonly ListedFile[]): Promise<boolean> {
  const found: ListedFile[] = [];
  try {
    for await (const file of filesOfTools(place)) found.push(listed(file));
  } catch {
    return false;
  }
  return JSON.stringify(found) === JSON.stringify(files);
}
