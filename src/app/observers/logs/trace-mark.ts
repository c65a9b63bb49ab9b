import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isJsonObject } from '../../../core/json.ts';
import { makeFolder } from '../../../lib/make-folder.ts';
import type { Parcel } from '../../../telemetry/span-exporter.ts';
import { parseTraceParent, traceParentText, type TraceParent } from '../../../telemetry/trace-parent.ts';
import { runPlace } from '../../../workspace/run-place.ts';

/**
 * What a collector knows of a run, kept beside it: a run that goes on in another process goes on in the same trace, and what
 * was told is not told again.
 */
export class TraceMark {
  readonly parent: TraceParent | null;
  readonly #path: string;
  readonly #told: Map<string, number>;

  private constructor(path: string, parent: TraceParent | null, told: Map<string, number>) {
    this.#path = path;
    this.parent = parent;
    this.#told = told;
  }

  /** `parent`: of which a new run is a part. One that has begun keeps what it was a part of then. */
  static async open(home: string, root: string, parent: TraceParent | null): Promise<TraceMark> {
    const path = join(runPlace(home, root).base, 'trace.json');
    const kept = await readKept(path);
    if (kept !== null) return new TraceMark(path, kept.parent, kept.told);
    const mark = new TraceMark(path, parent, new Map());
    if (parent !== null) await mark.told([]);
    return mark;
  }

  /** The last record of which this run's spans were told. */
  toldOf(run: string): number {
    return this.#told.get(run) ?? 0;
  }

  async told(parcels: readonly Pick<Parcel, 'run' | 'seq'>[]): Promise<void> {
    for (const { run, seq } of parcels) this.#told.set(run, Math.max(seq, this.toldOf(run)));
    const traceparent = this.parent === null ? null : traceParentText(this.parent);
    const text = `${JSON.stringify({ traceparent, told: Object.fromEntries(this.#told) })}\n`;
    // Not told at all would be told again: that harms nobody.
    await replaceFile(this.#path, text).catch(() => undefined);
  }
}

interface Kept {
  readonly parent: TraceParent | null;
  readonly told: Map<string, number>;
}

async function readKept(path: string): Promise<Kept | null> {
  try {
    const kept: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isJsonObject(kept) || !isJsonObject(kept['told'])) return null;
    const { traceparent, told } = kept;
    const entries = Object.entries(told).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
    return { parent: parseTraceParent(typeof traceparent === 'string' ? traceparent : ''), told: new Map(entries) };
  } catch {
    return null;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    makeFolder(dirname(path), 0o700);
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
